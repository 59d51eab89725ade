import type { OwnProduct } from "#contract/auctions.ts";
import { productPath } from "#domain/auction.ts";
import { formatMoney } from "#domain/money.ts";
import { formatMoment } from "../../../lib/format-date.ts";
import { AuctionRow } from "../../../ui/auction-row.tsx";
import { StateBadge, type Tone } from "../../../ui/state-badge.tsx";
import { RemoveProduct } from "../remove-product.tsx";

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
    <AuctionRow
      productId={id}
      productName={productName}
      picture={picture}
      to={productPath(id)}
      figures={[`${look.price} ${formatMoney(price)}`, bids(bidCount)]}
      note={
        <>
          {look.end} <time dateTime={endDate.toISOString()}>{formatMoment(endDate)}</time>
        </>
      }
      heading="h2"
    >
      <StateBadge tone={look.tone}>{look.badge}</StateBadge>
      {state !== "sold" && <RemoveProduct productId={id} productName={productName} />}
    </AuctionRow>
  );
}
