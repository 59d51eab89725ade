import { Link } from "react-router";
import { publicMeta } from "../../lib/page-meta.ts";
import type { RenderedOnce } from "../../lib/rendered-once.ts";
import { onServer } from "../../load-context.ts";
import type { Route } from "./+types/auctions.ts";
import classes from "./auctions.module.css";
import { Chips } from "./find/chips.tsx";
import { Filters } from "./find/filters.tsx";
import { Found } from "./find/found.tsx";
import { HowMany } from "./find/how-many.tsx";
import { SellLinks } from "./find/sell-links.tsx";
import { queryOf, readView, useAuctionView } from "./find/use-auction-view.ts";
import { productsAsked, useLoadedProducts } from "./find/use-products.ts";

const lead = "Phones, furniture and more from other members. Bid live until time runs out.";

export const meta = () => publicMeta("/auctions", "Auctions", lead);

/** Its HTML is made once for all who look at the same; a search is left to the browser, since everyone's is another. */
export const handle: RenderedOnce = {
  query: (params) => (params.has("search") ? "?search=" : queryOf(readView(params))),
};

export async function loader({ context, request }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams;
  const view = readView(params);
  // Without an answer the browser asks, and says what is wrong.
  const page = params.has("search")
    ? null
    : await context
        .get(onServer)
        .rpc.auctions.list(productsAsked(view))
        .catch(() => null);
  return { view, page };
}
/** What the list is narrowed to later, it asks for itself: what is shown stays meanwhile. */
export const shouldRevalidate = () => false;

/** The open auctions, to search and to bid on. */
export default function Auctions({ loaderData }: Route.ComponentProps) {
  useLoadedProducts(loaderData.view, loaderData.page);
  const [view, onChange] = useAuctionView();
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <h1 className={classes.title}>Auctions</h1>
        <p className={classes.lead}>{lead}</p>
        <SellLinks />
      </div>
      <Filters view={view} onChange={onChange} />
      <Chips view={view} onChange={onChange} />
      <div className={classes.line}>
        <HowMany view={view} />
        <Link className={classes.guide} to="/grading-guide">
          What each grade means
        </Link>
      </div>
      <Found view={view} onChange={onChange} />
    </div>
  );
}
