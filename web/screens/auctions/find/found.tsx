import { Retry } from "../../../ui/retry.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import classes from "./product-card.module.css";
import { ShownProducts } from "./shown-products.tsx";
import type { ViewProps } from "./use-auction-view.ts";
import { useProducts } from "./use-products.ts";

/** The products of a view as cards, a page at a time. */
export const Found = (props: ViewProps) => (
  <div className={classes.found}>
    <Products {...props} />
  </div>
);

function Products(props: ViewProps) {
  const { products, error, refetch, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useProducts(props.view);
  if (!products && !error) return <GridSkeleton />;
  if (!products) return <Retry error={error} onRetry={() => void refetch()} />;
  const next = isFetchingNextPage ? "loading" : "there";
  return (
    <ShownProducts
      {...props}
      products={products}
      isBusy={isPlaceholderData}
      more={hasNextPage ? next : "none"}
      onMore={() => void fetchNextPage()}
    />
  );
}

const cards = ["a", "b", "c", "d", "e", "f", "g", "h"];

const GridSkeleton = () => (
  <Waiting className={classes.grid} label="Loading auctions">
    {cards.map((card) => (
      <div key={card}>
        <Skeleton className={classes.picture ?? ""} />
        <Skeleton h={20} mt={12} w="80%" />
        <Skeleton h={16} mt={10} w="45%" />
        <Skeleton h={28} mt={12} w="60%" />
        <Skeleton h={16} mt={10} w="70%" />
      </div>
    ))}
  </Waiting>
);
