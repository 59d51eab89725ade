import { publicMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import type { ScreenHandle } from "../../lib/screen-handle.ts";
import { Page } from "../../ui/page.tsx";
import { Chips } from "./find/chips.tsx";
import { Filters } from "./find/filters.tsx";
import { Found } from "./find/found.tsx";
import { HowMany } from "./find/how-many.tsx";
import { SellLinks } from "./find/sell-links.tsx";
import { readView, useAuctionView } from "./find/use-auction-view.ts";
import { productsQuery, takeToldProducts } from "./find/use-products.ts";

const lead = "Phones, furniture and more from other members. Bid live until the time is up.";

export const meta = () => publicMeta("/auctions", "Auctions", lead);

export const handle: ScreenHandle = {
  ask: ({ search }) => queryClient.prefetchInfiniteQuery(productsQuery(readView(search))),
  take: (told) => takeToldProducts(readView(new URLSearchParams(location.search)), told),
};

/** The open auctions, to search and to bid on (product decisions, "Finding items"). */
export default function Auctions() {
  const [view, onChange] = useAuctionView();
  return (
    <Page title="Auctions" lead={lead}>
      <SellLinks />
      <Filters view={view} onChange={onChange} />
      <Chips view={view} onChange={onChange} />
      <HowMany view={view} />
      <Found view={view} onChange={onChange} />
    </Page>
  );
}
