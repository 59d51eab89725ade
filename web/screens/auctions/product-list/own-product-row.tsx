import type { OwnProduct } from "#contract/auctions.ts";
import { formatMoney } from "#domain/money.ts";
import { productPath } from "#protocol/addresses.ts";
import { formatMoment } from "../../../lib/format-date.ts";
import { AuctionRow } from "../../../ui/auction-row.tsx";
import { StateBadge, type Tone } from "../../../ui/state-badge.tsx";
import { priceLabel } from "../price-label.ts";
import { RemoveProduct } from "../remove-product.tsx";

type Look = { badge: string; tone: Tone; price: "open" | "sold" | "over"; end: string };

const looks: Record<OwnProduct["state"], Look> = {
  open: { badge: "Open", tone: "going", price: "open", end: "Ends" },
  ended: { badge: "Ended", tone: "ended", price: "over", end: "Ended" },
  sold: { badge: "Sold", tone: "good", price: "sold", end: "Ended" },
  unsold: { badge: "Not sold", tone: "ended", price: "over", end: "Ended" },
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
      figures={[`${priceLabel(look.price, bidCount)} ${formatMoney(price)}`, bids(bidCount)]}
      note={
        <>
          {look.end} <time dateTime={new Date(endDate).toISOString()}>{formatMoment(new Date(endDate))}</time>
        </>
      }
      heading="h2"
    >
      <StateBadge tone={look.tone}>{look.badge}</StateBadge>
      {state !== "sold" && <RemoveProduct productId={id} productName={productName} hasBids={bidCount > 0} />}
    </AuctionRow>
  );
}
