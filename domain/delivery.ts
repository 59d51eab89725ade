import { type Cents, formatMoney } from "#domain/money.ts";

/** Longest name of a place in characters; the most that a courier may cost, in cents. */
export const deliveryLimits = { place: 60, courier: 10_000_000 } as const;

/** How a product can reach its buyer. `courier` is in cents: 0 is free, null if no courier is offered. */
export type Delivery = { collectionPlace: string; courier: Cents | null };

/** The ways of delivery that a list can be filtered by. */
export const deliveryWays = ["collection", "courier"] as const;
export type DeliveryWay = (typeof deliveryWays)[number];
export const deliveryWayLabels: Record<DeliveryWay, string> = {
  collection: "Collection",
  courier: "Courier",
};
export const isDeliveryWay = (text: string): text is DeliveryWay =>
  deliveryWays.some((each) => each === text);

/** Returns the ways of a product's delivery in words: "Collection in Cape Town", "Courier R99.00". */
export function deliveryWords({ collectionPlace, courier }: Delivery): string[] {
  return [
    ...(collectionPlace === "" ? [] : [`Collection in ${collectionPlace}`]),
    ...(courier === null ? [] : [courier === 0 ? "Free courier" : `Courier ${formatMoney(courier)}`]),
  ];
}
