import { formatMoney } from "#domain/money.ts";
import { type SaleState, saleStates } from "#domain/sale.ts";
import { saleBadges } from "../sales/sale-words.ts";
import classes from "./desk.module.css";

type CountAndSum = { count: number; sum: number };
type FiguresProps = { figures: { open: CountAndSum; sales: Record<SaleState, CountAndSum> } };

/** The sums of a seller's products: bids of open ones, and prices of sold ones by the state of the handover. */
export const Figures = ({ figures: { open, sales } }: FiguresProps) => (
  <dl className={classes.figures}>
    <Sum label="Highest bids of open items" {...open} />
    {saleStates
      .filter((state) => sales[state].count > 0)
      .map((state) => (
        <Sum key={state} label={saleBadges[state].label} {...sales[state]} />
      ))}
  </dl>
);

const Sum = ({ label, count, sum }: CountAndSum & { label: string }) => (
  <div>
    <dt>
      {label} ({count})
    </dt>
    <dd>{formatMoney(sum)}</dd>
  </div>
);
