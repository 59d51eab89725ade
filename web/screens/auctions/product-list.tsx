import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { OwnProduct } from "#contract/auctions.ts";
import type { OwnPart } from "#domain/auction-list.ts";
import { formatMoney } from "#domain/money.ts";
import { editProductPath, productPath } from "#protocol/addresses.ts";
import { formatMoment } from "../../lib/format-date.ts";
import { useQueryOfAddress } from "../../lib/hydration.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { useHasEnded } from "../../lib/watch-time.ts";
import { AuctionList, AuctionListSkeleton, AuctionRow, auctionNameId } from "../../ui/auction-row.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import classes from "./own-auctions.module.css";
import { bidsText, priceLabel } from "./price-label.ts";
import { RemoveProduct } from "./remove-product.tsx";
import { OwnStrikes, useOwnSales } from "./sales/own-sales.tsx";
import { saleBadges } from "./sales/sale-words.ts";
import { Drafts } from "./seller-desk/drafts.tsx";
import { Figures } from "./seller-desk/figures.tsx";
import { ImportItems } from "./seller-desk/import-items.tsx";
import { SaleState } from "./seller-desk/sale-state.tsx";
import { SellAgain } from "./seller-desk/sell-again.tsx";
import { type DeskTab, DeskTabs, readTab } from "./seller-desk/tabs.tsx";

export const meta = () => pageMeta("Your products");

/** The viewer's products, each with a delete button. */
export default function ProductList() {
  const own = useOwnSales();
  return (
    <Page title="Your products" lead="What you've put up for auction, and how it's going.">
      {own && <OwnStrikes {...own} />}
      <Desk />
    </Page>
  );
}

const figuresQuery = {
  ...api.auctions.ownFigures.queryOptions({ input: {} }),
  // Bids arrive while the seller is in another window.
  refetchOnWindowFocus: "always",
} as const;
const draftsQuery = api.auctions.drafts.queryOptions({ input: {} });

/** The seller's dashboard: open, unsold and sold products with sums, and drafts. */
function Desk() {
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      <DeskContent onImport={() => setImporting(true)} />
      {/* Outside of the content, all of which is replaced when a file lists the first items. */}
      <ImportItems opened={isImporting} onClose={() => setImporting(false)} />
    </>
  );
}

function DeskContent({ onImport }: { onImport: () => void }) {
  const { tab } = readTab(useQueryOfAddress());
  const figures = useQuery(figuresQuery);
  const drafts = useQuery(draftsQuery);
  const error = figures.error ?? drafts.error;
  if (error && !(figures.data && drafts.data))
    return <Retry error={error} onRetry={() => void [figures.refetch(), drafts.refetch()]} />;
  if (!figures.data || !drafts.data) return <AuctionListSkeleton label="Loading your products" />;
  const { open, unsold, sold } = figures.data;
  const counts = { open: open.count, unsold, sold: sold.count, drafts: drafts.data.drafts.length };
  const fromFile = (
    <Button variant="default" size="md" onClick={onImport}>
      List items from a file
    </Button>
  );
  if (Object.values(counts).every((count) => count === 0)) return <NoProducts>{fromFile}</NoProducts>;
  return (
    <>
      <div className={classes.toolbar}>
        <LinkButton primary to="/upload-product">
          Upload Product
        </LinkButton>
        {fromFile}
      </div>
      <Figures figures={figures.data} />
      <DeskTabs tab={tab} counts={counts} />
      {tab === "drafts" ? <Drafts drafts={drafts.data.drafts} /> : <OwnProducts key={tab} part={tab} />}
    </>
  );
}

const ownProductsQuery = (part: OwnPart) =>
  ({
    ...api.auctions.own.infiniteOptions({
      input: (cursor: string | undefined) => ({ part, cursor }),
      ...paged,
    }),
    refetchOnWindowFocus: "always",
  }) as const;

const nothing: Record<Exclude<DeskTab, "drafts">, string> = {
  open: "Nothing is for sale right now.",
  unsold: "Nothing ended without a sale.",
  sold: "Nothing is sold yet.",
};

/** One part of the viewer's products, newest first, a page at a time. */
function OwnProducts({ part }: { part: OwnPart }) {
  const query = useInfiniteQuery(ownProductsQuery(part));
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <AuctionListSkeleton label="Loading your products" />;
  const products = data.pages.flatMap((page) => page.products);
  if (products.length === 0) return <p>{nothing[part]}</p>;
  return (
    <>
      <AuctionList>
        {products.map((product) => (
          <OwnProductRow key={product.id} product={product} />
        ))}
      </AuctionList>
      <ShowMore query={query} />
    </>
  );
}

const NoProducts = ({ children }: { children: ReactNode }) => (
  <EmptyState
    title="Nothing for sale yet"
    text="Your products will appear here, with their bids and what they sold for."
  >
    <LinkButton primary to="/upload-product">
      Upload your first product
    </LinkButton>
    {children}
  </EmptyState>
);

type StateDisplay = { badge: string; tone: Tone; price: "open" | "sold" | "over"; end: string };

const stateDisplays: Record<OwnProduct["state"], StateDisplay> = {
  open: { badge: "Open", tone: "going", price: "open", end: "Ends" },
  ended: { badge: "Ended", tone: "ended", price: "over", end: "Ended" },
  sold: { badge: "Sold", tone: "good", price: "sold", end: "Ended" },
  unsold: { badge: "Not sold", tone: "ended", price: "over", end: "Ended" },
};

/** One of the viewer's products: its state and the possible actions. */
function OwnProductRow({ product }: { product: OwnProduct }) {
  const { id, productName, picture, state, price, bidCount, endDate, sale } = product;
  const hasEnded = useHasEnded(endDate.getTime());
  const display = stateDisplays[state === "open" && hasEnded ? "ended" : state];
  const badge = sale ? saleBadges[sale.state] : { label: display.badge, tone: display.tone };
  return (
    <AuctionRow
      productId={id}
      productName={productName}
      picture={picture}
      to={productPath(id)}
      figures={[`${priceLabel(display.price, bidCount)} ${formatMoney(price)}`, bidsText(bidCount)]}
      note={
        <>
          {display.end} <time dateTime={endDate.toISOString()}>{formatMoment(endDate)}</time>
          {state === "sold" && <SaleState product={product} />}
        </>
      }
      heading="h2"
    >
      <StateBadge tone={badge.tone}>{badge.label}</StateBadge>
      <Actions product={product} hasEnded={hasEnded} />
    </AuctionRow>
  );
}

/** The actions that a product allows now. */
function Actions({ product, hasEnded }: { product: OwnProduct; hasEnded: boolean }): ReactNode {
  const { id, productName, state, bidCount, hadBids } = product;
  return (
    <>
      {state === "open" && !hasEnded && !hadBids && (
        <LinkButton size="sm" to={editProductPath(id)} aria-describedby={auctionNameId(id)}>
          Edit
        </LinkButton>
      )}
      {(state === "sold" || state === "unsold") && <SellAgain productId={id} productName={productName} />}
      {state !== "sold" && <RemoveProduct productId={id} productName={productName} hasBids={bidCount > 0} />}
    </>
  );
}
