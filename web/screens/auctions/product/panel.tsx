import { type RefObject, Suspense, useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { auctionTexts } from "#domain/auction.ts";
import { decideRemoval, removalMessages } from "#domain/auction-removal.ts";
import { formatMoney } from "#domain/money.ts";
import { isAdmin } from "#domain/permission.ts";
import { timeLeftText, urgencyOf } from "#domain/time-left.ts";
import { configuration } from "../../../lib/configuration.ts";
import { useFormats } from "../../../lib/format-date.ts";
import { useWatching } from "../../../lib/product-state.ts";
import { useViewer } from "../../../lib/viewer.ts";
import { useHasEnded, useServerNow } from "../../../lib/watch-time.ts";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { late, Nothing } from "../../../ui/late.tsx";
import { StateBadge } from "../../../ui/state-badge.tsx";
import { TextLink } from "../../../ui/text-link.tsx";
import { bidsText, priceLabel } from "../price-label.ts";
import { RemoveProduct } from "../remove-product.tsx";
import { Announcement } from "./announcement.tsx";
import { bidErrorTitle } from "./bid-form.tsx";
import { Bidding } from "./bidding.tsx";
import { mayBeSlip } from "./may-be-slip.ts";
import { movedEndText } from "./moved-end-text.ts";
import classes from "./panel.module.css";
import {
  badgeFor,
  relationBadges,
  type ViewerFacts,
  type ViewerRelation,
  viewerRelation,
} from "./viewer-relation.ts";

/** Lazy-loaded: only bidders are offered it. */
const PushOffer = late(() => import("../../../ui/push-offer.tsx"), Nothing);
/** Lazy-loaded, because only seller and buyer see it. */
const ProductSale = late(() => import("../sales/product-sale.tsx"));
/** Lazy-loaded, because few bids are withdrawn. */
const WithdrawBids = late(() => import("./withdraw-bids.tsx"));

type PanelProps = {
  product: ProductState;
  facts: ViewerFacts | null;
  /** Ref to the element that holds the bid form. */
  form: RefObject<HTMLDivElement | null>;
};

/** The current price, the time left, the viewer's position and the least bid. */
export function Panel({ product, facts, form }: PanelProps) {
  const { endDate, state } = product;
  const hasEnded = useHasEnded(endDate);
  const isOver = state !== "open" || hasEnded;
  const [tooLate, setTooLate] = useState<Error | null>(null);
  const mine = viewerRelation(product, facts);
  const badge = badgeFor(mine, state, isOver);
  return (
    <section className={classes.panel} aria-label="Bidding">
      <p className={classes.position}>
        <StateBadge tone={badge.tone}>{badge.label}</StateBadge>
        {facts?.ownBid != null && <span className={classes.small}>Your bid: {ownBid(product, facts)}</span>}
      </p>
      <dl className={classes.figures}>
        <Price product={product} />
        <TimeLeft product={product} isOver={isOver} />
      </dl>
      {hasVoidBids(product) && <p className={classes.small}>{voidBidsText(product)}</p>}
      {isOver ? (
        <p className={classes.result}>{resultText(product, mine)}</p>
      ) : (
        <div ref={form}>
          <Bidding product={product} mine={mine} limit={facts?.ownLimit ?? null} onTooLate={setTooLate} />
        </div>
      )}
      {!isOver && (mine === "winning" || mine === "outbid") && (
        <Suspense>
          <PushOffer kind="outbid" label="Tell me when I'm outbid" />
        </Suspense>
      )}
      {facts?.contact && (
        <ContactCard title={facts.isSeller ? "The buyer" : "The seller"} contact={facts.contact} />
      )}
      <Suspense>
        {state === "sold" && facts && <ProductSale product={product} />}
        {!isOver && facts?.ownBid != null && <Withdrawal product={product} tag={facts.tag} />}
      </Suspense>
      {facts && <Removal product={product} isSeller={facts.isSeller} />}
      <Announcement text={isExtended(product) && !isOver ? "Extended." : ""} />
      <Announcement text={announced(product, mine, isOver)} />
      <ErrorModal title={bidErrorTitle} error={tooLate} onClose={() => setTooLate(null)} />
    </section>
  );
}

/** Formats the viewer's highest bid: the live history may know of a newer one than the query. */
function ownBid({ bids }: ProductState, { tag, ownBid: amount }: ViewerFacts): string {
  const latest = bids.find((bid) => bid.tag === tag && bid.row === undefined);
  return formatMoney(latest?.amount ?? amount ?? 0);
}

/** Whether a late bid has moved the end. It is announced once; every further move is shown beside the time left. */
const isExtended = ({ endDate, plannedEnd }: ProductState): boolean => endDate > plannedEnd;

/** Returns the announcement for screen readers: the price and the end, and for bidders their position. */
function announced(
  { state, price, winningBid, bidCount }: ProductState,
  mine: ViewerRelation,
  isOver: boolean,
) {
  const ended = isOver ? `${auctionTexts.ended}. ` : "";
  const label = state === "sold" ? "Sold for" : "Price";
  const bidder = mine === "none" || mine === "seller" ? "" : ` ${relationBadges[mine].label}.`;
  return `${ended}${label} ${formatMoney(winningBid ?? price)}, ${bidsText(bidCount)}.${bidder}`;
}

const voidBidsText = ({ sale }: ProductState): string =>
  sale === "secondChance"
    ? "Crossed-out bids don't count: the first sale fell through, and this is a second chance."
    : "A crossed-out bid doesn't count, because we closed that bidder's account.";

/** Whether a visible bid, or one above the final price, doesn't count. */
const hasVoidBids = ({ bids, price, winningBid }: ProductState): boolean =>
  bids.some((bid) => !bid.counts && bid.void === undefined) || (winningBid !== null && price > winningBid);

/** The current price, or the price it was sold for; a new price is animated into place. */
function Price({ product }: { product: ProductState }) {
  const { state, price, winningBid, bidCount } = product;
  const amount = winningBid ?? price;
  const [first] = useState(amount);
  const label = priceLabel(state === "unsold" ? "over" : state, bidCount);
  return (
    <div>
      <dt className={classes.term}>{label}</dt>
      <dd className={classes.price}>
        <span key={amount} className={amount === first ? undefined : classes.fresh}>
          {formatMoney(amount)}
        </span>
      </dd>
      <dd className={classes.small}>{bidsText(bidCount)}</dd>
    </div>
  );
}

type TimeLeftProps = { product: ProductState; isOver: boolean };

/** The time left by the server's clock, the end as a date in the viewer's time zone, and whether late bids move it. */
function TimeLeft({ product, isOver }: TimeLeftProps) {
  const { id, endDate } = product;
  const now = useServerNow(1_000, endDate);
  const milliseconds = isOver ? 0 : endDate - now;
  const text = timeLeftText(milliseconds);
  const watching = useWatching(id);
  const end = new Date(endDate);
  const { formatMomentInZone, formatTimeToTheSecond } = useFormats();
  const late = text === null ? null : movedEndText(product, formatTimeToTheSecond);
  return (
    <div>
      <dt className={classes.term}>{text === null ? auctionTexts.ended : "Time left"}</dt>
      {text !== null && (
        <dd className={classes.figure}>
          <span role="timer" className={classes.timer} data-urgency={urgencyOf(milliseconds)}>
            {text}
          </span>
        </dd>
      )}
      <dd className={classes.small}>
        <time dateTime={end.toISOString()}>{formatMomentInZone(end)}</time>
      </dd>
      {late !== null && <dd className={classes.small}>{late}</dd>}
      {text !== null && watching !== null && (
        <dd className={classes.small}>
          <span className={classes.least}>{watching}</span> people are watching
        </dd>
      )}
    </div>
  );
}

type WithdrawalProps = { product: ProductState; tag: string };

/** Lets a bidder withdraw their bids, while the latest may be a slip or if the law gives them the right. */
function Withdrawal({ product, tag }: WithdrawalProps) {
  const now = useServerNow(60_000, product.endDate);
  if (configuration().bidWithdrawal !== "law" && !mayBeSlip(product, tag, now)) return null;
  return <WithdrawBids product={product} />;
}

type RemovalProps = { product: ProductState; isSeller: boolean };

/** Lets the seller and admins take the product off sale, or says why that is no longer possible. */
function Removal({ product, isSeller }: RemovalProps) {
  const viewer = useViewer();
  const { id, productName, state, bidCount, endDate } = product;
  const now = useServerNow(60_000, endDate);
  const asker = { isAdmin: viewer !== null && isAdmin(viewer), isSeller };
  const auction = { state, bidCount, endDate: new Date(endDate) };
  const outcome = decideRemoval(auction, asker, new Date(now));
  if (outcome.kind === "lastHours") return <p className={classes.small}>{removalMessages.lastHours}</p>;
  if (outcome.kind !== "removed") return null;
  return (
    <RemoveProduct
      productId={id}
      productName={productName}
      hasBids={bidCount > 0}
      asAdmin={outcome.by === "admin"}
    />
  );
}

/** Describes the result of an auction that has ended. An `open` one is settled within seconds. */
function resultText({ state, sale }: ProductState, mine: ViewerRelation): string {
  if (state === "open") return "We're confirming the result…";
  if (state === "unsold") return "This auction ended without a sale.";
  if (sale === "fellThrough") return "This item was sold, but the sale fell through.";
  if (mine === "won") return "It's yours. Contact the seller to arrange payment and delivery.";
  return mine === "seller"
    ? "This item has been sold. Contact the buyer to arrange payment and delivery."
    : "This item has been sold.";
}

type ContactCardProps = { title: string; contact: NonNullable<ViewerFacts["contact"]> };

/** The contact details by which winner and seller reach each other. */
function ContactCard({ title, contact: { name, email, phone, leaves } }: ContactCardProps) {
  const { formatDate } = useFormats();
  return (
    <section className={classes.contact} aria-labelledby="contact">
      <h2 id="contact" className={classes.heading}>
        {title}
      </h2>
      <p className={classes.line}>{name}</p>
      {leaves && (
        <p className={classes.small}>
          Leaving: they're closing their account. Please get in touch by {formatDate(leaves)}.
        </p>
      )}
      <p className={classes.line}>
        <TextLink to={`mailto:${email}`}>{email}</TextLink>
      </p>
      {phone && (
        <p className={classes.line}>
          <TextLink to={`tel:${phone.replace(/[^\d+]/g, "")}`}>{phone}</TextLink>
        </p>
      )}
    </section>
  );
}
