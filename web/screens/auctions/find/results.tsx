import { IconPhoto } from "@tabler/icons-react";
import { createContext, type ReactNode, useContext } from "react";
import { Link } from "react-router";
import type { ListedProduct } from "#contract/auctions.ts";
import { auctionTexts } from "#domain/auction.ts";
import { deliveryWords } from "#domain/delivery.ts";
import { formatMoney } from "#domain/money.ts";
import { timeLeftText, urgencyOf } from "#domain/time-left.ts";
import { passFocusOn } from "../../../lib/focus.ts";
import { useServerNow } from "../../../lib/watch-time.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { type BoxWidth, ProductPicture } from "../../../ui/product-picture.tsx";
import { Retry } from "../../../ui/retry.tsx";
import { ShowMore } from "../../../ui/show-more.tsx";
import { Skeleton, Waiting } from "../../../ui/skeleton.tsx";
import { everything, isNarrowed, useProducts, type ViewProps } from "./auction-view.ts";
import classes from "./results.module.css";

/** Number of cards that are visible without scrolling on most screens. */
const inSight = 6;

/** The products of a view as cards, a page at a time. */
export function Results(props: ViewProps) {
  const { products, ...query } = useProducts(props.view);
  const { error, refetch, isPlaceholderData } = query;
  if (!products && !error) return <GridSkeleton />;
  if (!products) return <Retry error={error} onRetry={() => void refetch()} />;
  if (products.length === 0) return <Nothing {...props} />;
  return (
    <ListClock end={Math.max(...products.map(({ endDate }) => endDate.getTime()))}>
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

const bids = (count: number): string => {
  if (count === 0) return "No bids yet";
  return count === 1 ? "1 bid" : `${count.toLocaleString("en")} bids`;
};

/** The widths of a card's picture. */
const cardSizes: readonly BoxWidth[] = [
  ["(min-width: 48em)", "17rem"],
  ["(min-width: 35em)", "30vw"],
  ["", "50vw - 1.75rem"],
];
/** Longer prices are set smaller, so that none breaks on a narrow card. */
const longPrice = 12;

type ProductCardProps = {
  product: ListedProduct;
  /** Whether it is visible without scrolling. */
  eager: boolean;
  /** Whether it is the first thing to be seen on the page. */
  first: boolean;
};

/** One open auction: the item, its price and the time left. The whole card links to its page. */
function ProductCard({ product, eager, first }: ProductCardProps) {
  const { id, productName, subcategory, grade, price, bidCount, endDate, picture } = product;
  const delivery = deliveryWords(product);
  return (
    <li ref={passFocusOn} className={classes.card}>
      <div className={classes.picture}>
        {picture ? (
          <ProductPicture
            picture={picture}
            sizes={cardSizes}
            alt=""
            eager={eager}
            priority={first ? "high" : "auto"}
          />
        ) : (
          <IconPhoto size={40} stroke={1} aria-hidden />
        )}
      </div>
      <h2 className={classes.name}>
        <Link to={`/product/${id}`}>{productName}</Link>
      </h2>
      <p className={classes.facts}>
        {grade} · {subcategory}
      </p>
      {delivery.length > 0 && <p className={classes.delivery}>{delivery.join(" · ")}</p>}
      <p className={classes.price} data-long={formatMoney(price).length > longPrice || undefined}>
        {formatMoney(price)}
      </p>
      <p className={classes.bidding}>
        <span>{bids(bidCount)}</span>
        <TimeLeft endDate={endDate.getTime()} />
      </p>
    </li>
  );
}

/** Milliseconds since 1970 by the server's clock. */
const Now = createContext(0);
const second = 1_000;

/** One clock for a whole list: it ticks until the last auction has ended, and only re-renders what shows time. */
function ListClock({ end, children }: { end: number; children: ReactNode }) {
  const now = useServerNow(second, end);
  return <Now value={now}>{children}</Now>;
}

/** The time left of one product in the list. */
function TimeLeft({ endDate }: { endDate: number }) {
  const milliseconds = endDate - useContext(Now);
  const left = timeLeftText(milliseconds);
  if (left === null) return <span className={classes.ended}>{auctionTexts.ended}</span>;
  return (
    <span className={classes.time} data-urgency={urgencyOf(milliseconds)}>
      {left} left
    </span>
  );
}
