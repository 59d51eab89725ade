import { type BidFilter, type EndsWithin, endsWithin } from "#domain/auction-list.ts";
import type { DeliveryWay } from "#domain/delivery.ts";
import type { Cents } from "#domain/money.ts";
import type { AddParameter, Order } from "./list-statements.ts";

/** The filters that no order has an index for. `sellerOf` is a product's id: only its seller's products are found. */
export type NarrowingFilter = {
  priceFrom?: Cents | undefined;
  priceTo?: Cents | undefined;
  endsWithin?: EndsWithin | undefined;
  bids?: BidFilter | undefined;
  sellerOf?: string | undefined;
  delivery?: DeliveryWay | undefined;
};
export const isNarrowed = (narrowing: NarrowingFilter): boolean =>
  Object.values(narrowing).some((filter) => filter !== undefined);

/** The conditions for each way of delivery, which the partial indexes repeat. */
export const isDelivered: Record<DeliveryWay, string> = {
  collection: "collection_place <> ''",
  courier: "courier_cents is not null",
};

/** Returns the conditions of the narrowing filters, except for the seller, on a product's bidding. */
export function narrowed(
  { priceFrom, priceTo, endsWithin: within, bids, delivery }: NarrowingFilter,
  bind: AddParameter,
  bidding: string,
): string[] {
  return [
    ...(priceFrom === undefined ? [] : [`${bidding}.price >= ${bind(priceFrom)}`]),
    ...(priceTo === undefined ? [] : [`${bidding}.price <= ${bind(priceTo)}`]),
    ...(within === undefined
      ? []
      : [`${bidding}.ends_at <= now() + make_interval(secs => ${bind(endsWithin[within] / 1000)})`]),
    ...(bids === undefined
      ? []
      : [`${bidding}.bid_count ${bids === "none" ? "=" : ">"} ${bidding}.uncounted`]),
    ...(delivery === undefined
      ? []
      : [
          `exists (select from auction_product where id = ${bidding}.product_id and state = 'open' and ${isDelivered[delivery]})`,
        ]),
  ];
}

/** Returns the narrowing filters that compare the column of an order's own index. */
export function onKey(
  { key }: Pick<Order, "key">,
  { priceFrom, priceTo, endsWithin }: NarrowingFilter,
): NarrowingFilter {
  if (key === "price") return { priceFrom, priceTo };
  return key === "ends_at" ? { endsWithin } : {};
}
