import { IconPhoto } from "@tabler/icons-react";
import { Link } from "react-router";
import type { OwnProduct } from "#contract/auctions.ts";
import { productPath } from "#domain/auction.ts";
import { formatMoney } from "#domain/money.ts";
import { formatMoment } from "../../../lib/format-date.ts";
import { ProductPicture } from "../../../ui/product-picture.tsx";
import { StateBadge, type Tone } from "../../../ui/state-badge.tsx";
import { RemoveProduct } from "../remove-product.tsx";
import classes from "./own-products.module.css";

type Look = { badge: string; tone: Tone; price: string; end: string };

const looks: Record<OwnProduct["state"], Look> = {
  open: { badge: "Open", tone: "going", price: "Price now", end: "Ends" },
  ended: { badge: "Ended", tone: "ended", price: "Last price", end: "Ended" },
  sold: { badge: "Sold", tone: "good", price: "Sold for", end: "Ended" },
  unsold: { badge: "Unsold", tone: "ended", price: "Last price", end: "Ended" },
};

const bids = (number: number) => (number === 1 ? "1 bid" : `${number} bids`);

/** One of one's own products: how it stands, and delete where that is still possible. */
export function OwnProductRow({ product }: { product: OwnProduct }) {
  const { id, productName, picture, state, price, bidCount, endDate } = product;
  const look = looks[state];
  return (
    <li className={classes.row} aria-labelledby={`product-${id}`}>
      <div className={classes.picture}>
        {picture ? (
          <ProductPicture picture={picture} sizes="6rem" alt="" />
        ) : (
          <IconPhoto size={28} stroke={1} aria-hidden />
        )}
      </div>
      <div className={classes.what}>
        <h2 className={classes.name} id={`product-${id}`}>
          <Link to={productPath(id)}>{productName}</Link>
        </h2>
        <p className={classes.figures}>
          <span>
            {look.price} {formatMoney(price)}
          </span>
          <span>{bids(bidCount)}</span>
        </p>
        <p className={classes.small}>
          {look.end} <time dateTime={endDate.toISOString()}>{formatMoment(endDate)}</time>
        </p>
      </div>
      <div className={classes.action}>
        <StateBadge tone={look.tone}>{look.badge}</StateBadge>
        {state !== "sold" && <RemoveProduct productId={id} productName={productName} />}
      </div>
    </li>
  );
}
