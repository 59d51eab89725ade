import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Retry } from "../../../ui/retry.tsx";
import { ShowMore } from "../../../ui/show-more.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { ListClock } from "./list-clock.tsx";
import classes from "./product-card.module.css";
import { ProductCard } from "./product-card.tsx";
import { everything, isNarrowed, type ViewProps } from "./use-auction-view.ts";
import { useProducts } from "./use-products.ts";

/** Cards that are seen without scrolling on most screens. */
const inSight = 6;

/** The products of a view as cards, a page at a time. */
export const Found = (props: ViewProps) => (
  <div className={classes.found}>
    <Products {...props} />
  </div>
);

function Products(props: ViewProps) {
  const { products, ...query } = useProducts(props.view);
  const { error, refetch, isPlaceholderData } = query;
  if (!products && !error) return <GridSkeleton />;
  if (!products) return <Retry error={error} onRetry={() => void refetch()} />;
  if (products.length === 0) return <Nothing {...props} />;
  return (
    <ListClock end={Math.max(...products.map(({ endDate }) => endDate))}>
      <ul className={classes.grid} aria-label="Open auctions" aria-busy={isPlaceholderData}>
        {products.map((product, at) => (
          <ProductCard key={product.id} product={product} eager={at < inSight} first={at === 0} />
        ))}
      </ul>
      <ShowMore query={query} />
    </ListClock>
  );
}

function Nothing({ view, onChange }: ViewProps) {
  if (!isNarrowed(view)) return <EmptyState title="No auctions yet" text="Be the first to list something." />;
  return (
    <EmptyState
      title="Nothing found"
      text="No open auctions match your search. Try fewer filters or a shorter word."
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
        <Skeleton h={20} mt={12} w="80%" />
        <Skeleton h={16} mt={10} w="45%" />
        <Skeleton h={28} mt={12} w="60%" />
        <Skeleton h={16} mt={10} w="70%" />
      </div>
    ))}
  </Waiting>
);
