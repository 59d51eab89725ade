import type { ProductState, Seller } from "#contract/auctions.ts";
import { categoryLabels } from "#domain/auction.ts";
import { formatMoney } from "#domain/money.ts";
import { countedText, soldCounted } from "#protocol/page-sizes.ts";
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

/** Who sells a product, and how the buyer gets it. */
export function SellerCard({ product: { seller, handover } }: { product: ProductState }) {
  const { formatDate } = useFormats();
  return (
    <dl className={classes.seller}>
      <div>
        <dt>Seller</dt>
        <dd>{seller?.name ?? "Former member"}</dd>
        {seller && (
          <dd className={classes.more}>
            Member since {formatDate(new Date(seller.since))} · {soldOf(seller)}
          </dd>
        )}
      </div>
      {handover !== "" && (
        <div>
          <dt>Collection or delivery</dt>
          <dd>{handover}</dd>
        </div>
      )}
    </dl>
  );
}

function soldOf({ sold }: Seller): string {
  if (sold === 0) return "nothing sold yet";
  return sold === 1 ? "1 item sold" : `${countedText(sold, soldCounted)} items sold`;
}
