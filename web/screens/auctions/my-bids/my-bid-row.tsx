import type { MyBid } from "#contract/auctions.ts";
import { auctionTexts } from "#domain/auction.ts";
import { formatMoney } from "#domain/money.ts";
import { formatMoment } from "../../../lib/format-date.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { AuctionRow } from "../../../ui/auction-row.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { StateBadge } from "../../../ui/state-badge.tsx";
import { priceLabel } from "../price-label.ts";
import { bidBadges, removalText } from "./bid-groups.ts";

/** One product that somebody bid on, and how that stands. */
export function MyBidRow({ bid }: { bid: MyBid }) {
  const { productId, productName, picture, position, amount, price, sold, endDate } = bid;
  const badge = bidBadges[position];
  const to = `/product/${productId}`;
  const isOver = endDate <= serverNow() || position === "removed";
  const ended = sold ? "sold" : "over";
  const label = priceLabel(isOver ? ended : "open", 1);
  return (
    <AuctionRow
      productId={productId}
      productName={productName}
      picture={picture}
      to={position === "removed" ? null : to}
      figures={[`Your bid ${formatMoney(amount)}`, `${label} ${formatMoney(price)}`]}
      note={position === "removed" ? removalText(bid) : <End endDate={new Date(endDate)} isOver={isOver} />}
      heading="h3"
    >
      {badge && <StateBadge tone={badge.tone}>{badge.label}</StateBadge>}
      {position === "outbid" && !isOver && (
        <LinkButton primary to={to}>
          Bid again
        </LinkButton>
      )}
    </AuctionRow>
  );
}

const End = ({ endDate, isOver }: { endDate: Date; isOver: boolean }) => (
  <>
    {isOver ? auctionTexts.ended : "Ends"}{" "}
    <time dateTime={endDate.toISOString()}>{formatMoment(endDate)}</time>
  </>
);
