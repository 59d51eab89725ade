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

/** How wide a card's picture is shown. */
const cardSizes = "(min-width: 48em) 17rem, (min-width: 35em) 30vw, calc(50vw - 1.75rem)";

type ProductCardProps = {
  product: ListedProduct;
  /** It is seen without scrolling. */
  eager: boolean;
  /** Nothing on the page is seen before it. */
  first: boolean;
};

/** One open auction: what it is, what it costs now and how long it goes on. All of the card leads to its page. */
export function ProductCard({ product, eager, first }: ProductCardProps) {
  const { id, productName, subcategory, grade, price, bidCount, endDate, picture } = product;
  return (
    <li className={classes.card}>
      <div className={classes.picture}>
        {picture ? (
          <ProductPicture
            picture={picture}
            sizes={cardSizes}
            alt=""
            eager={eager}
            priority={first ? "high" : "auto"}
          />
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
