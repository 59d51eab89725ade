import { formatMoney } from "#domain/money.ts";
import classes from "./desk.module.css";

type FiguresProps = {
  figures: { open: { count: number; sum: number }; unsold: number; sold: { count: number; sum: number } };
};

/** The sums of a seller's products. */
export const Figures = ({ figures: { open, sold } }: FiguresProps) => (
  <dl className={classes.figures}>
    <div>
      <dt>Highest bids of open items</dt>
      <dd>{formatMoney(open.sum)}</dd>
    </div>
    <div>
      <dt>Sold in all</dt>
      <dd>{formatMoney(sold.sum)}</dd>
    </div>
  </dl>
);
