import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Retry } from "../../../ui/retry.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { ListClock } from "./list-clock.tsx";
import classes from "./product-card.module.css";
import { ProductCard } from "./product-card.tsx";
import { everything, isNarrowed, type ViewProps } from "./use-auction-view.ts";
import { useProducts } from "./use-products.ts";

/** Cards that are seen without scrolling on most screens. */
const inSight = 4;

/** The products of a view as cards, a page at a time. */
export const Found = (props: ViewProps) => (
  <div className={classes.found}>
    <Products {...props} />
  </div>
);

function Products({ view, onChange }: ViewProps) {
  const { products, error, refetch, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useProducts(view);
  if (!products && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!products) return <GridSkeleton />;
  if (products.length === 0) return <Nothing view={view} onChange={onChange} />;
  return (
    <ListClock end={Math.max(...products.map(({ endDate }) => endDate.getTime()))}>
      <ul className={classes.grid} aria-label="Open auctions" aria-busy={isPlaceholderData}>
        {products.map((product, at) => (
          <ProductCard key={product.id} product={product} eager={at < inSight} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" apart disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Loading..." : "Show more"}
        </Button>
      )}
    </ListClock>
  );
}

function Nothing({ view, onChange }: ViewProps) {
  if (!isNarrowed(view))
    return (
      <EmptyState
        title="Nothing is up for auction yet"
        text="Items are listed here as soon as somebody sells one. It could be yours."
      />
    );
  return (
    <EmptyState
      title="Nothing found"
      text="No open auction fits this search. Try fewer filters, or a part of the name."
    >
      <Button variant="default" onClick={() => onChange(everything)}>
        Clear filters
      </Button>
    </EmptyState>
  );
}

const cards = ["a", "b", "c", "d", "e", "f", "g", "h"];

const GridSkeleton = () => (
  <Waiting className={classes.grid} label="Loading auctions">
    {cards.map((card) => (
      <div key={card}>
        <Skeleton className={classes.picture ?? ""} />
        <Skeleton h={20} mt="sm" w="80%" />
        <Skeleton h={16} mt="xs" w="45%" />
        <Skeleton h={28} mt="sm" w="60%" />
        <Skeleton h={16} mt="xs" w="70%" />
      </div>
    ))}
  </Waiting>
);
