import { useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { formatMoney } from "#domain/money.ts";
import { priceLabel } from "../price-label.ts";
import classes from "./panel.module.css";

/** What the product costs at this moment, or was sold for; a new price comes into sight in its place. */
export function Price({ product: { state, price, winningBid, bidCount } }: { product: ProductState }) {
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

export const bidsText = (count: number): string => (count === 1 ? "1 bid" : `${count} bids`);
