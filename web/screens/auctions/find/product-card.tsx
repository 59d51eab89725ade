import { IconPhoto } from "@tabler/icons-react";
import { Link } from "react-router";
import type { ListedProduct } from "#contract/auctions.ts";
import { formatMoney } from "#domain/money.ts";
import { ProductPicture } from "../../../ui/product-picture.tsx";
import { TimeLeft } from "./list-clock.tsx";
import classes from "./product-card.module.css";

const bids = (count: number): string => {
  if (count === 0) return "No bids yet";
  return count === 1 ? "1 bid" : `${count.toLocaleString("en")} bids`;
};

const sizes = "(min-width: 62em) 18rem, (min-width: 40em) 30vw, 45vw";

/** One open auction: what it is, what it costs now and how long it goes on. All of the card leads to its page. */
export function ProductCard({ product, eager }: { product: ListedProduct; eager: boolean }) {
  const { id, productName, subcategory, grade, price, bidCount, endDate, picture } = product;
  return (
    <li className={classes.card}>
      <div className={classes.picture}>
        {picture ? (
          <ProductPicture picture={picture} sizes={sizes} alt="" eager={eager} />
        ) : (
          <IconPhoto size={40} stroke={1} aria-hidden />
        )}
      </div>
      <h2 className={classes.name}>
        <Link to={`/product/${id}`}>{productName}</Link>
      </h2>
      <p className={classes.facts}>
        {grade} · {subcategory}
      </p>
      <p className={classes.price}>{formatMoney(price)}</p>
      <p className={classes.bidding}>
        <span>{bids(bidCount)}</span>
        <TimeLeft endDate={endDate} />
      </p>
    </li>
  );
}
