import { Anchor, Title } from "@mantine/core";
import { Link } from "react-router";
import type { ProductState } from "#contract/auctions.ts";
import { categoryLabels } from "#domain/auction.ts";
import { formatMoney } from "#domain/money.ts";
import { useFormats } from "../../../lib/format-date.ts";
import classes from "./details.module.css";

/** What the seller says of a product. */
export function Details({ product }: { product: ProductState }) {
  const { description, category, subcategory, grade, startingBid, createdAt } = product;
  const { formatDate } = useFormats();
  return (
    <section aria-labelledby="details">
      <Title order={2} size="h3" id="details">
        Details
      </Title>
      <p className={classes.description}>{description}</p>
      <dl className={classes.facts}>
        <dt>Category</dt>
        <dd>{categoryLabels[category]}</dd>
        <dt>Subcategory</dt>
        <dd>{subcategory}</dd>
        <dt>Grade</dt>
        <dd>
          <Anchor component={Link} to="/grading-guide">
            {grade}
          </Anchor>
        </dd>
        <dt>Starting bid</dt>
        <dd className="tabular">{formatMoney(startingBid)}</dd>
        <dt>Listed</dt>
        <dd>{formatDate(new Date(createdAt))}</dd>
      </dl>
    </section>
  );
}
