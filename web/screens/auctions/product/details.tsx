import type { ProductState } from "#contract/auctions.ts";
import { categoryLabels } from "#domain/auction.ts";
import { formatMoney } from "#domain/money.ts";
import { useFormats } from "../../../lib/format-date.ts";
import { TextLink } from "../../../ui/text-link.tsx";
import classes from "./details.module.css";

/** What the seller says of a product. */
export function Details({ product }: { product: ProductState }) {
  const { description, category, subcategory, grade, startingBid, createdAt } = product;
  const { formatDate } = useFormats();
  return (
    <section aria-labelledby="details">
      <h2 id="details" className={classes.heading}>
        Details
      </h2>
      <p className={classes.description}>{description}</p>
      <dl className={classes.facts}>
        <dt>Category</dt>
        <dd>{categoryLabels[category]}</dd>
        <dt>Subcategory</dt>
        <dd>{subcategory}</dd>
        <dt>Grade</dt>
        <dd>
          <TextLink to="/grading-guide">{grade}</TextLink>
        </dd>
        <dt>Starting bid</dt>
        <dd className="tabular">{formatMoney(startingBid)}</dd>
        <dt>Listed</dt>
        <dd>{formatDate(new Date(createdAt))}</dd>
      </dl>
    </section>
  );
}
