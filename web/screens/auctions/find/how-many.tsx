import { useHydrated } from "../../../lib/use-hydrated.ts";
import { ListStatus } from "../../../ui/list-status.tsx";
import type { AuctionView } from "./use-auction-view.ts";
import { useProducts } from "./use-products.ts";

const words = { one: "auction", many: "auctions", none: "No auctions match" };

/** For readers: what the list of a view shows. */
export function HowMany({ view }: { view: AuctionView }) {
  const { products, isPlaceholderData, hasNextPage } = useProducts(view);
  // The built page, which React takes over, says nothing yet.
  const isKnown = useHydrated() && !isPlaceholderData;
  const count = isKnown ? (products?.length ?? null) : null;
  return <ListStatus count={count} more={hasNextPage} words={words} />;
}
