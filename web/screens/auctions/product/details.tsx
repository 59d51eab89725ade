import type { Addition, ProductState, Seller } from "#contract/auctions.ts";
import { categoryLabels, isCategory } from "#domain/auction.ts";
import { type Delivery, deliveryWords } from "#domain/delivery.ts";
import { type Cents, formatMoney } from "#domain/money.ts";
import { recordText } from "#domain/sale-record.ts";
import { productPath, sellersItemsPath } from "#protocol/addresses.ts";
import { countedText, maxSold } from "#protocol/page-sizes.ts";
import { useFormats } from "../../../lib/format-date.ts";
import { TextLink } from "../../../ui/text-link.tsx";
import classes from "../product.module.css";

/** The parts of a product that its details show; in the preview of a form, texts may be empty. */
type ProductDescription = {
  description: string;
  additions: readonly Addition[];
  category: string;
  subcategory: string;
  grade: string;
  startingBid: Cents | null;
  createdAt: number;
  /** The version of /auction-rules. */
  rules: number;
  formerId: string | null;
};

/** The seller's description of a product, with what they added later. */
export function Details({ product }: { product: ProductDescription }) {
  const { description, additions, category, subcategory, grade, startingBid, createdAt, rules, formerId } =
    product;
  const { formatDate, formatMoment } = useFormats();
  return (
    <section aria-labelledby="details">
      <h2 id="details" className={classes.heading}>
        Details
      </h2>
      <p className={classes.description}>{description}</p>
      {additions.map(({ text, at }) => (
        <div key={at} className={classes.addition}>
          <p className={classes.more}>
            Added on <time dateTime={new Date(at).toISOString()}>{formatMoment(new Date(at))}</time>
          </p>
          <p className={classes.description}>{text}</p>
        </div>
      ))}
      <dl className={classes.facts}>
        <dt>Category</dt>
        <dd>{isCategory(category) ? categoryLabels[category] : ""}</dd>
        <dt>Subcategory</dt>
        <dd>{subcategory}</dd>
        <dt>Grade</dt>
        <dd>
          <TextLink to="/grading-guide">{grade}</TextLink>
        </dd>
        <dt>Starting bid</dt>
        <dd className="tabular">{startingBid === null ? "" : formatMoney(startingBid)}</dd>
        <dt>Listed</dt>
        <dd>
          {formatDate(new Date(createdAt))}
          {formerId !== null && (
            <>
              {" · "}
              <TextLink to={productPath(formerId)}>listed before</TextLink>
            </>
          )}
        </dd>
        <dt>Rules</dt>
        <dd>
          <TextLink to="/auction-rules">Version {rules} of the rules</TextLink>
        </dd>
      </dl>
    </section>
  );
}

type SellerCardProps = {
  /** The preview of an item that isn't listed yet has no id. */
  product: Pick<ProductState, "seller" | "handover"> & Delivery & { id?: string };
};

/** The seller of a product, and how the buyer gets it. */
export function SellerCard({ product }: SellerCardProps) {
  const { formatDate } = useFormats();
  const { id, seller } = product;
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
        {seller && id !== undefined && (
          <dd>
            <TextLink to={sellersItemsPath(id)}>See what this seller has on sale</TextLink>
          </dd>
        )}
      </div>
      <DeliveryFacts product={product} />
    </dl>
  );
}

/** The ways in which a product gets to its buyer, as facts and in the seller's words. */
export function DeliveryFacts({ product }: { product: Pick<ProductState, "handover"> & Delivery }) {
  const lines = [...deliveryWords(product), product.handover].filter((line) => line !== "");
  if (lines.length === 0) return null;
  return (
    <div>
      <dt>Collection or delivery</dt>
      {lines.map((line) => (
        <dd key={line}>{line}</dd>
      ))}
    </div>
  );
}

function soldOf({ sold, record }: Seller): string {
  const words = record && recordText(record);
  if (words) return words.toLowerCase();
  if (sold === 0) return "no sales yet";
  return sold === 1 ? "1 item sold" : `${countedText(sold, maxSold)} items sold`;
}
