import { IconPhoto } from "@tabler/icons-react";
import { createContext, Fragment, type ReactNode, useContext, useRef } from "react";
import { Link } from "react-router";
import type { ListedProduct } from "#contract/listed-products.ts";
import type { ProductMark } from "#contract/watching.ts";
import { auctionTexts } from "#domain/auction.ts";
import { fitHeadings, searchFits } from "#domain/auction-list.ts";
import { deliveryWords } from "#domain/delivery.ts";
import { formatMoney } from "#domain/money.ts";
import { timeLeftText, urgencyOf } from "#domain/time-left.ts";
import { useCard, useLiveCards } from "../../../lib/card-state.ts";
import { passFocusOn } from "../../../lib/focus.ts";
import { useHydrated } from "../../../lib/hydration.ts";
import { useServerNow } from "../../../lib/watch-time.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { type BoxWidth, ProductPicture } from "../../../ui/product-picture.tsx";
import { Retry } from "../../../ui/retry.tsx";
import { ShowMore } from "../../../ui/show-more.tsx";
import { Skeleton, Waiting } from "../../../ui/skeleton.tsx";
import { StateBadge, type Tone } from "../../../ui/state-badge.tsx";
import { relationBadges } from "../product/viewer-relation.ts";
import { useMarks } from "../watching/marks.ts";
import { SaveSearch } from "../watching/save-search.tsx";
import { Star } from "../watching/star.tsx";
import {
  everything,
  isNarrowed,
  savedFiltersOf,
  unsavedFiltersOf,
  useProducts,
  type ViewProps,
} from "./auction-view.ts";
import { useCardsInSight } from "./cards-in-sight.ts";
import classes from "./results.module.css";

/** Number of cards that are visible without scrolling on most screens. */
const visibleAtFirst = 6;

/** The products of a view as cards, a page at a time. */
export function Results(props: ViewProps) {
  const { products, ...query } = useProducts(props.view);
  const { error, refetch, isPlaceholderData } = query;
  if (!products && !error) return <GridSkeleton />;
  if (!products) return <Retry error={error} onRetry={() => void refetch()} />;
  // The former view's empty list says nothing about this one.
  if (products.length === 0) return isPlaceholderData ? <GridSkeleton /> : <Nothing {...props} />;
  return (
    <>
      <CardGrid products={products} label="Open auctions" heading="h2" isBusy={isPlaceholderData} />
      <ShowMore query={query} />
    </>
  );
}

type CardGridProps = {
  products: readonly ListedProduct[];
  label: string;
  /** The heading level of the items' names, one deeper if they are grouped by their fit. */
  heading: "h2" | "h3";
  isBusy?: boolean;
};

/** Products as live cards. */
export const CardGrid = (props: CardGridProps) => (
  <ListClock end={Math.max(...props.products.map(({ endDate }) => endDate.getTime())) + mayMoveBy}>
    <Cards {...props} />
  </ListClock>
);

/** Milliseconds by which an end may move after the list was loaded, for its clock. */
const mayMoveBy = 24 * 3_600_000;

/** The cards, live while they are visible. Items that only mention the search words come after those named so. */
function Cards({ products, label, heading: nameHeading, isBusy = false }: CardGridProps) {
  const root = useRef<HTMLDivElement>(null);
  const ids = products.map(({ id }) => id);
  const visibleIds = useCardsInSight(root, ids);
  useLiveCards(visibleIds);
  const marks = useMarks(visibleIds);
  const isGrouped = products.some(({ fit }) => fit === "mentioned");
  const groups = isGrouped
    ? searchFits.map((fit) => ({
        heading: fitHeadings[fit],
        of: products.filter((each) => each.fit === fit),
      }))
    : [{ heading: null, of: products }];
  return (
    <div ref={root}>
      {groups
        .filter(({ of }) => of.length > 0)
        .map(({ heading, of }) => (
          <Fragment key={heading}>
            {heading && <h2 className={classes.fit}>{heading}</h2>}
            <ul
              className={classes.grid}
              aria-label={heading ? `${label}: ${heading}` : label}
              aria-busy={isBusy}
            >
              {of.map((product) => {
                const at = ids.indexOf(product.id);
                return (
                  <ProductCard
                    key={product.id}
                    product={product}
                    mark={marks.get(product.id)}
                    eager={at < visibleAtFirst}
                    first={at === 0}
                    heading={heading ? "h3" : nameHeading}
                  />
                );
              })}
            </ul>
          </Fragment>
        ))}
    </div>
  );
}

function Nothing({ view, onChange }: ViewProps) {
  const isHydrated = useHydrated();
  if (!isNarrowed(view)) return <EmptyState title="No auctions yet" text="Be the first to list something." />;
  return (
    <EmptyState
      title="Nothing found"
      text="No open auctions match your search. Try fewer filters or a shorter word."
    >
      <div className={classes.choices}>
        {isHydrated && <SaveSearch primary filters={savedFiltersOf(view)} unsaved={unsavedFiltersOf(view)} />}
        <Button variant="default" onClick={() => onChange(everything)}>
          Clear filters
        </Button>
      </div>
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
/** Prices longer than this are set smaller, so that none wraps on a narrow card. */
const longPrice = 12;

type ProductCardProps = {
  product: ListedProduct;
  /** The viewer's relation to it; undefined for visitors and until it is loaded. */
  mark: ProductMark | undefined;
  /** Whether it is visible without scrolling. */
  eager: boolean;
  /** Whether it is the first card on the page. */
  first: boolean;
  heading: "h2" | "h3";
};

type Badge = { label: string; tone: Tone };

/** Returns the badge for the viewer's relation to an auction, or null without any. */
function badgeOf(mark: ProductMark | undefined, leader: string | null): Badge | null {
  if (!mark) return null;
  if (mark.isSeller) return { label: "Your item", tone: "going" };
  if (leader === null) return null;
  if (leader === mark.tag) return relationBadges.winning;
  return mark.hasBid ? relationBadges.outbid : null;
}

/** One open auction: the item, its price and the time left. The whole card links to its page. */
function ProductCard({ product, mark, eager, first, heading: Heading }: ProductCardProps) {
  const { id, productName, subcategory, grade, picture } = product;
  const { price, bidCount, endDate, leader, state } = useCard(product);
  const badge = badgeOf(mark, leader);
  const facts = [...deliveryWords(product), ...(product.lateBidsExtend ? ["Late bids extend it"] : [])];
  return (
    <li ref={passFocusOn} className={classes.card} data-card={id}>
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
      <Heading className={classes.name}>
        <Link to={`/product/${id}`}>{productName}</Link>
      </Heading>
      <p className={classes.facts}>
        {grade} · {subcategory}
      </p>
      {facts.length > 0 && <p className={classes.delivery}>{facts.join(" · ")}</p>}
      {badge && (
        <p className={classes.facts}>
          <StateBadge tone={badge.tone}>{badge.label}</StateBadge>
        </p>
      )}
      <p className={classes.price} data-long={formatMoney(price).length > longPrice || undefined}>
        {formatMoney(price)}
      </p>
      <p className={classes.bidding}>
        <span>{bids(bidCount)}</span>
        {state === "removed" ? (
          <span className={classes.ended}>Taken off sale</span>
        ) : (
          <TimeLeft endDate={state === "open" ? endDate : 0} />
        )}
      </p>
      {mark && !mark.isSeller && (
        <Star
          productId={id}
          productName={productName}
          isWatching={mark.isWatching}
          className={classes.star}
        />
      )}
    </li>
  );
}

/** Milliseconds since 1970 by the server's clock. */
const Now = createContext(0);
const second = 1_000;

/** One clock for a whole list: it ticks until the last auction has ended, and re-renders only parts that show time. */
function ListClock({ end, children }: { end: number; children: ReactNode }) {
  const now = useServerNow(second, end);
  return <Now value={now}>{children}</Now>;
}

/** The time left of one product in the list. */
function TimeLeft({ endDate }: { endDate: number }) {
  const milliseconds = endDate - useContext(Now);
  const text = timeLeftText(milliseconds);
  if (text === null) return <span className={classes.ended}>{auctionTexts.ended}</span>;
  return (
    <span className={classes.time} data-urgency={urgencyOf(milliseconds)}>
      {text} left
    </span>
  );
}
