import { useInfiniteQuery } from "@tanstack/react-query";
import type { OwnProduct } from "#contract/auctions.ts";
import { formatMoney } from "#domain/money.ts";
import { productPath } from "#protocol/addresses.ts";
import { formatMoment } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { useHasEnded } from "../../lib/watch-time.ts";
import { AuctionList, AuctionListSkeleton, AuctionRow } from "../../ui/auction-row.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import classes from "./own-auctions.module.css";
import { bidsText, priceLabel } from "./price-label.ts";
import { RemoveProduct } from "./remove-product.tsx";

export const meta = () => pageMeta("Your products");

/** One's own products, each with a delete button. */
export default function ProductList() {
  return (
    <Page title="Your products" lead="What you've put up for auction, and how it's going.">
      <OwnProducts />
    </Page>
  );
}

const ownProductsQuery = {
  ...api.auctions.own.infiniteOptions({
    input: (cursor: string | undefined) => ({ cursor }),
    ...paged,
  }),
  // Bids arrive while one looks elsewhere.
  refetchOnWindowFocus: "always",
} as const;

/** One's own products, newest first, a page at a time. */
function OwnProducts() {
  const query = useInfiniteQuery(ownProductsQuery);
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <AuctionListSkeleton label="Loading your products" />;
  const products = data.pages.flatMap((page) => page.products);
  if (products.length === 0) return <NoProducts />;
  return (
    <>
      <div className={classes.toolbar}>
        <LinkButton primary to="/upload-product">
          Upload Product
        </LinkButton>
      </div>
      <AuctionList>
        {products.map((product) => (
          <OwnProductRow key={product.id} product={product} />
        ))}
      </AuctionList>
      <ShowMore query={query} />
    </>
  );
}

function NoProducts() {
  return (
    <EmptyState
      title="Nothing for sale yet"
      text="Your products will appear here, with their bids and what they sold for."
    >
      <LinkButton primary to="/upload-product">
        Upload your first product
      </LinkButton>
    </EmptyState>
  );
}

type Look = { badge: string; tone: Tone; price: "open" | "sold" | "over"; end: string };

const looks: Record<OwnProduct["state"], Look> = {
  open: { badge: "Open", tone: "going", price: "open", end: "Ends" },
  ended: { badge: "Ended", tone: "ended", price: "over", end: "Ended" },
  sold: { badge: "Sold", tone: "good", price: "sold", end: "Ended" },
  unsold: { badge: "Not sold", tone: "ended", price: "over", end: "Ended" },
};

/** One of one's own products: its state, and a delete button as long as that is possible. */
function OwnProductRow({ product }: { product: OwnProduct }) {
  const { id, productName, picture, state, price, bidCount, endDate } = product;
  const hasEnded = useHasEnded(endDate.getTime());
  const look = looks[state === "open" && hasEnded ? "ended" : state];
  return (
    <AuctionRow
      productId={id}
      productName={productName}
      picture={picture}
      to={productPath(id)}
      figures={[`${priceLabel(look.price, bidCount)} ${formatMoney(price)}`, bidsText(bidCount)]}
      note={
        <>
          {look.end} <time dateTime={endDate.toISOString()}>{formatMoment(endDate)}</time>
        </>
      }
      heading="h2"
    >
      <StateBadge tone={look.tone}>{look.badge}</StateBadge>
      {state !== "sold" && <RemoveProduct productId={id} productName={productName} hasBids={bidCount > 0} />}
    </AuctionRow>
  );
}
