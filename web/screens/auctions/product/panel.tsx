import { type RefObject, useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { auctionTexts } from "#domain/auction.ts";
import { formatMoney } from "#domain/money.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { useServerNow } from "../../../lib/use-server-now.ts";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { type Failure, failureOf } from "../../../ui/failure.ts";
import { StateBadge } from "../../../ui/state-badge.tsx";
import { Announcement } from "./announcement.tsx";
import { Bidding, bidErrorTitle } from "./bidding.tsx";
import { ContactCard } from "./contact-card.tsx";
import { badgeFor, type MyStanding, myStanding, standingBadges } from "./my-standing.ts";
import classes from "./panel.module.css";
import { bidsText, Price } from "./price.tsx";
import { Removal } from "./removal.tsx";
import { Result } from "./result.tsx";
import { TimeLeft } from "./time-left.tsx";
import type { Standing } from "./use-standing.ts";

type PanelProps = {
  product: ProductState;
  standing: Standing | null;
  /** Gets what the viewer bids with. */
  form: RefObject<HTMLDivElement | null>;
};

/** The price now, the time left, whether I am winning, and the least I can bid. */
export function Panel({ product, standing, form }: PanelProps) {
  const { endDate, state } = product;
  const left = endDate - useServerNow(1_000, endDate);
  const isOver = state !== "open" || left <= 0;
  const [tooLate, setTooLate] = useState<Failure | null>(null);
  const mine = myStanding(product, standing);
  const badge = badgeFor(mine, state, isOver);
  return (
    <section className={classes.panel} aria-label="Bidding">
      <p className={classes.standing}>
        <StateBadge tone={badge.tone}>{badge.label}</StateBadge>
        {standing?.ownBid != null && (
          <span className={classes.small}>Your bid: {ownBid(product, standing)}</span>
        )}
      </p>
      <dl className={classes.figures}>
        <Price product={product} />
        <TimeLeft endDate={endDate} milliseconds={isOver ? 0 : left} />
      </dl>
      {isOver ? (
        <Result state={state} mine={mine} />
      ) : (
        <div ref={form}>
          <Bidding
            product={product}
            mine={mine}
            isOver={() => serverNow() >= endDate}
            onTooLate={(error) => setTooLate(failureOf(error))}
          />
        </div>
      )}
      {standing?.contact && (
        <ContactCard title={standing.isSeller ? "The buyer" : "The seller"} contact={standing.contact} />
      )}
      {standing && <Removal product={product} isSeller={standing.isSeller} />}
      <Announcement text={announced(product, mine, isOver)} />
      <ErrorModal title={bidErrorTitle} error={tooLate} onClose={() => setTooLate(null)} />
    </section>
  );
}

/** One's highest bid: the live history may know of a newer one than was asked for. */
function ownBid({ bids }: ProductState, { tag, ownBid: known }: Standing): string {
  return formatMoney(bids.find((bid) => bid.tag === tag)?.amount ?? known ?? 0);
}

/** For screen readers: what changes, and for bidders how they stand. */
function announced({ state, price, winningBid, bidCount }: ProductState, mine: MyStanding, isOver: boolean) {
  const ended = isOver ? `${auctionTexts.ended}. ` : "";
  const label = state === "sold" ? "Sold for" : "Price";
  const standing = mine === "none" || mine === "seller" ? "" : ` ${standingBadges[mine].label}.`;
  return `${ended}${label} ${formatMoney(winningBid ?? price)}, ${bidsText(bidCount)}.${standing}`;
}
