import { useState } from "react";
import type { ProductState, ShownBid } from "#contract/auctions.ts";
import { formatMoney } from "#domain/money.ts";
import { useFormats } from "../../../lib/format-date.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import classes from "./history.module.css";
import { useBidHistory } from "./use-bid-history.ts";
import type { ViewerFacts } from "./viewer-relation.ts";

type HistoryProps = { product: ProductState; facts: ViewerFacts | null };

/** All bids, newest first: masked names for everyone but the seller, one's own as 'You'. */
export function History({ product, facts }: HistoryProps) {
  const { bids, hasOlder, isLoading, showOlder, failure, clearFailure } = useBidHistory(product);
  const [first] = useState(product.bidCount);
  return (
    <section aria-labelledby="bids">
      <h2 id="bids" className={classes.heading}>
        Bids
      </h2>
      {bids.length === 0 && (
        <p className={classes.none}>{product.state === "open" ? "No bids yet." : "There were no bids."}</p>
      )}
      <ol className={classes.bids} reversed aria-labelledby="bids">
        {bids.map((bid) => (
          <Bid key={bid.number} bid={bid} bidder={nameOf(bid, facts)} isNew={bid.number > first} />
        ))}
      </ol>
      {hasOlder && (
        <Button variant="default" spaced disabled={isLoading} onClick={showOlder}>
          {isLoading ? "Loading..." : "Show older"}
        </Button>
      )}
      <ErrorModal title="Error" error={failure} onClose={clearFailure} />
    </section>
  );
}

function nameOf({ tag, bidder }: ShownBid, facts: ViewerFacts | null): string {
  return tag === facts?.tag ? "You" : (facts?.names[tag] ?? bidder);
}

function Bid({ bid: { amount, at }, bidder, isNew }: { bid: ShownBid; bidder: string; isNew: boolean }) {
  const when = new Date(at);
  const { formatMomentToTheSecond } = useFormats();
  return (
    <li className={classes.bid} data-new={isNew || undefined}>
      <span className={bidder === "You" ? classes.own : undefined}>{bidder}</span>
      <time className={classes.when} dateTime={when.toISOString()}>
        {formatMomentToTheSecond(when)}
      </time>
      <span className={classes.amount}>{formatMoney(amount)}</span>
    </li>
  );
}
