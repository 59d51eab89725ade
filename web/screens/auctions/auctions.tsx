import { Link } from "react-router";
import { countedText, maxAuctions } from "#protocol/page-sizes.ts";
import { useHydrated } from "../../lib/hydration.ts";
import { publicMeta, type QueryDependentHandle } from "../../lib/page-meta.ts";
import { useIsMember } from "../../lib/viewer.ts";
import { onServer } from "../../load-context.ts";
import { LinkButton } from "../../ui/button.tsx";
import type { Route } from "./+types/auctions.ts";
import classes from "./auctions.module.css";
import {
  type AuctionView,
  isNarrowed,
  isTyped,
  productsInput,
  queryOf,
  readView,
  savedFiltersOf,
  unsavedFiltersOf,
  useAuctionView,
  useLoadedProducts,
  useProducts,
} from "./find/auction-view.ts";
import { Chips, Filters } from "./find/filters.tsx";
import { Results } from "./find/results.tsx";
import { SaveSearch } from "./watching/save-search.tsx";
import { SeenSearch } from "./watching/seen-search.tsx";

const lead = "Phones, furniture and more from other members. Bid live until time runs out.";

export const meta = () => publicMeta("/auctions", "Auctions", lead);

/** Renders the HTML once per view and shares it. Searches are left to the browser, since everyone's is different. */
export const handle: QueryDependentHandle = {
  query: (params) => (isTyped(params) ? "?search=" : queryOf(readView(params))),
};

export async function loader({ context, request }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams;
  const view = readView(params);
  // If this fails, the browser queries again, and shows the error.
  const page = isTyped(params)
    ? null
    : await context
        .get(onServer)
        .rpc.auctions.list(productsInput(view))
        .catch(() => null);
  return { view, page };
}
/** The list itself fetches the products for later filters, and keeps its content meanwhile. */
export const shouldRevalidate = () => false;

/** The open auctions, to search and to bid on. */
export default function Auctions({ loaderData }: Route.ComponentProps) {
  useLoadedProducts(loaderData.view, loaderData.page);
  const [view, onChange] = useAuctionView();
  const isHydrated = useHydrated();
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
        <ResultCount view={view} />
        {isHydrated && <SaveSearch filters={savedFiltersOf(view)} unsaved={unsavedFiltersOf(view)} />}
        <Link className={classes.guide} to="/grading-guide">
          What each grade means
        </Link>
      </div>
      <div className={classes.found}>
        <Results view={view} onChange={onChange} />
        <SeenSearch />
      </div>
    </div>
  );
}

/**
 * The links to selling; visitors are led to the login. The second link's space is reserved, because the viewer may be
 * clicking the first one when the page learns who they are.
 */
function SellLinks() {
  const isMember = useIsMember();
  const isHydrated = useHydrated();
  return (
    <div className={classes.sell}>
      <LinkButton primary to="/upload-product">
        Sell an item
      </LinkButton>
      <LinkButton
        to="/product-list"
        className={isMember ? undefined : classes.notYet}
        data-by-hint={!isHydrated || undefined}
      >
        My products
      </LinkButton>
    </div>
  );
}

/** `count` is the number of matches, if counted; `rows` is how many of them are listed so far. */
function sentence(count: number | null, rows: number, hasMore: boolean, narrowed: boolean): string {
  if (rows === 0) return narrowed ? "No auctions match" : "0 auctions";
  if (!hasMore) return rows === 1 ? "1 auction" : `${rows} auctions`;
  return count === null ? `More than ${rows} auctions` : `${countedText(count, maxAuctions)} auctions`;
}

/**
 * The number of auctions in a view. Empty between two answers, so that screen readers announce the same number again.
 */
function ResultCount({ view }: { view: AuctionView }) {
  const { products, count, corrected, isPlaceholderData, hasNextPage } = useProducts(view);
  const isKnown = !isPlaceholderData && products !== null;
  return (
    <output aria-label="Results">
      {isKnown && corrected && `No exact matches for “${view.search.trim()}”. Showing “${corrected}”. `}
      {isKnown && sentence(count, products.length, hasNextPage, isNarrowed(view))}
    </output>
  );
}
