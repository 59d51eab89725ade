import type { MyBid } from "#contract/auctions.ts";
import { auctionTexts } from "#domain/auction.ts";
import { formatMoney } from "#domain/money.ts";
import { formatMoment } from "../../../lib/format-date.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { AuctionRow } from "../../../ui/auction-row.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { StateBadge } from "../../../ui/state-badge.tsx";
import { bidBadges, removalText } from "./bid-groups.ts";

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
    <AuctionRow
      productId={productId}
      productName={productName}
      picture={picture}
      to={standing === "removed" ? null : to}
      figures={[`Your bid ${formatMoney(amount)}`, `${priceLabels[standing]} ${formatMoney(price)}`]}
      note={standing === "removed" ? removalText(bid) : <End endDate={endDate} isOver={isOver} />}
      heading="h3"
    >
      {badge && <StateBadge tone={badge.tone}>{badge.label}</StateBadge>}
      {standing === "outbid" && !isOver && (
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
