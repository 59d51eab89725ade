import type { ProductState, Seller } from "#contract/auctions.ts";
import { countedText, soldCounted } from "#protocol/page-sizes.ts";
import { formatDate } from "../../../lib/format-date.ts";
import classes from "./seller-card.module.css";

/** Who sells a product, and how the buyer gets it. */
export function SellerCard({ product: { seller, handover } }: { product: ProductState }) {
  return (
    <dl className={classes.card}>
      <div>
        <dt>Seller</dt>
        <dd>{seller?.name ?? "Former member"}</dd>
        {seller && <dd className={classes.more}>{recordOf(seller)}</dd>}
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

function recordOf({ since, sold }: Seller): string {
  const items = sold === 1 ? "1 item" : `${countedText(sold, soldCounted)} items`;
  return `Member since ${formatDate(new Date(since))} · ${sold === 0 ? "nothing sold yet" : `${items} sold`}`;
}
