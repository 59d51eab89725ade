import { useInfiniteQuery } from "@tanstack/react-query";
import { paged } from "../../../lib/paged.ts";
import { api } from "../../../lib/rpc.ts";
import { AuctionList } from "../../../ui/auction-row.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { Retry } from "../../../ui/retry.tsx";
import { ShowMore } from "../../../ui/show-more.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { OwnProductRow } from "./own-product-row.tsx";
import classes from "./own-products.module.css";

const ownProductsQuery = {
  ...api.auctions.own.infiniteOptions({
    input: (cursor: string | undefined) => ({ cursor }),
    ...paged,
  }),
  // Bids arrive while one looks elsewhere.
  refetchOnWindowFocus: "always",
} as const;

/** One's own products, newest first, a page at a time. */
export function OwnProducts() {
  const query = useInfiniteQuery(ownProductsQuery);
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
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

function ListSkeleton() {
  return (
    <Waiting label="Loading your products">
      <Skeleton h={92} />
      <Skeleton h={92} />
      <Skeleton h={92} />
    </Waiting>
  );
}
