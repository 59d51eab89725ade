import { IconPhoto } from "@tabler/icons-react";
import { Link } from "react-router";
import type { MyBid } from "#contract/auctions.ts";
import { auctionTexts } from "#domain/auction.ts";
import { formatMoney } from "#domain/money.ts";
import { formatMoment } from "../../../lib/format-date.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { LinkButton } from "../../../ui/link-button.tsx";
import { ProductPicture } from "../../../ui/product-picture.tsx";
import { StateBadge } from "../../../ui/state-badge.tsx";
import { bidBadges, removalText } from "./bid-groups.ts";
import classes from "./my-bids.module.css";

const priceLabels: Record<MyBid["standing"], string> = {
  outbid: "Price now",
  winning: "Price now",
  won: "Sold for",
  lost: "Last price",
  removed: "Last price",
};

/** One product that somebody bid on, and how that stands. */
export function MyBidRow({ bid }: { bid: MyBid }) {
  const { productId, productName, picture, standing, amount, price, endDate } = bid;
  const badge = bidBadges[standing];
  const to = `/product/${productId}`;
  const isOver = endDate.getTime() <= serverNow();
  return (
    <li className={classes.row} aria-labelledby={`bid-${productId}`}>
      <div className={classes.picture}>
        {picture ? (
          <ProductPicture picture={picture} sizes="5rem" alt="" />
        ) : (
          <IconPhoto size={28} stroke={1} aria-hidden />
        )}
      </div>
      <div className={classes.what}>
        <h3 className={classes.name} id={`bid-${productId}`}>
          {standing === "removed" ? productName : <Link to={to}>{productName}</Link>}
        </h3>
        <p className={classes.figures}>
          <span>Your bid {formatMoney(amount)}</span>
          <span>
            {priceLabels[standing]} {formatMoney(price)}
          </span>
        </p>
        <p className={classes.small}>
          {standing === "removed" ? removalText(bid) : <End endDate={endDate} isOver={isOver} />}
        </p>
      </div>
      <div className={classes.action}>
        {badge && <StateBadge tone={badge.tone}>{badge.label}</StateBadge>}
        {standing === "outbid" && !isOver && (
          <LinkButton primary to={to}>
            Bid again
          </LinkButton>
        )}
      </div>
    </li>
  );
}

const End = ({ endDate, isOver }: { endDate: Date; isOver: boolean }) => (
  <>
    {isOver ? auctionTexts.ended : "Ends"}{" "}
    <time dateTime={endDate.toISOString()}>{formatMoment(endDate)}</time>
  </>
);
