import { useId, useState } from "react";
import type { ShownBid } from "#contract/auctions.ts";
import { formatMoney } from "#domain/money.ts";
import { useFormats } from "../../../lib/format-date.ts";
import { Button } from "../../../ui/button.tsx";
import { curvePath, curveSize } from "./curve-path.ts";
import classes from "./price-curve.module.css";

type PriceCurveProps = {
  /** The bids that are loaded, newest first. */
  bids: readonly ShownBid[];
  /** Whether there are older ones. */
  isPart: boolean;
};

/** The price over the time of the bids that count, as a stepwise curve, and as a table on request. */
export default function PriceCurve({ bids, isPart }: PriceCurveProps) {
  const [isTable, setTable] = useState(false);
  const [captionId, tableId] = [useId(), useId()];
  const { formatMoment, formatMomentToTheSecond } = useFormats();
  const prices = bids.filter(({ counts }) => counts).toReversed();
  const [first] = prices;
  const last = prices.at(-1);
  if (!first || !last || prices.length < 2) return null;
  return (
    <figure className={classes.figure} aria-labelledby={captionId}>
      <figcaption id={captionId} className="unseen">
        Price from {formatMoney(first.amount)} to {formatMoney(last.amount)} in {prices.length} bids
      </figcaption>
      <div className={classes.frame}>
        <span className={classes.amount}>{formatMoney(last.amount)}</span>
        <svg
          aria-hidden
          viewBox={`0 -2 ${curveSize.width} ${curveSize.height + 4}`}
          preserveAspectRatio="none"
          className={classes.curve}
        >
          <path d={curvePath(prices)} vectorEffect="non-scaling-stroke" />
        </svg>
        <span className={classes.amount}>{formatMoney(first.amount)}</span>
      </div>
      <p className={classes.times}>
        <time dateTime={new Date(first.at).toISOString()}>{formatMoment(new Date(first.at))}</time>
        <time dateTime={new Date(last.at).toISOString()}>{formatMoment(new Date(last.at))}</time>
      </p>
      {isPart && <p className={classes.part}>The latest {prices.length} bids.</p>}
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isTable}
        aria-controls={tableId}
        onClick={() => setTable(!isTable)}
      >
        {isTable ? "Hide the numbers" : "Show the numbers"}
      </Button>
      <div id={tableId} hidden={!isTable}>
        {isTable && (
          <table className={classes.table}>
            <caption className="unseen">Price over time</caption>
            <thead>
              <tr>
                <th scope="col">Bid</th>
                <th scope="col">When</th>
                <th scope="col">Price</th>
              </tr>
            </thead>
            <tbody>
              {prices.map(({ number, at, amount }) => (
                <tr key={number}>
                  <th scope="row">{number}</th>
                  <td>{formatMomentToTheSecond(new Date(at))}</td>
                  <td>{formatMoney(amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </figure>
  );
}
