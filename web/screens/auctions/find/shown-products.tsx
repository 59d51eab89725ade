import type { ListedProduct } from "#contract/auctions.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ListClock } from "./list-clock.tsx";
import classes from "./product-card.module.css";
import { ProductCard } from "./product-card.tsx";
import { everything, isNarrowed, type ViewProps } from "./use-auction-view.ts";

/** Cards that are seen without scrolling on most screens. */
const inSight = 6;

type ShownProductsProps = ViewProps & {
  products: readonly ListedProduct[];
  /** They are another view's, and the answer for this one is on its way. */
  isBusy: boolean;
  /** Whether there is another page, or it is on its way. */
  more: "none" | "there" | "loading";
  onMore: () => void;
};

/** Products that were found, as cards. */
export function ShownProducts({ products, isBusy, more, onMore, ...found }: ShownProductsProps) {
  if (products.length === 0) return <Nothing {...found} />;
  return (
    <ListClock end={Math.max(...products.map(({ endDate }) => endDate))}>
      <ul className={classes.grid} aria-label="Open auctions" aria-busy={isBusy}>
        {products.map((product, at) => (
          <ProductCard key={product.id} product={product} eager={at < inSight} first={at === 0} />
        ))}
      </ul>
      {more !== "none" && (
        <Button variant="default" apart disabled={more === "loading"} onClick={onMore}>
          {more === "loading" ? "Loading..." : "Show more"}
        </Button>
      )}
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
