import { type Person, person } from "./factories.ts";
import { type SoldItem, soldItem } from "./sales.ts";
import type { Wayfare } from "./wayfare.ts";

type Traders = Record<"seller" | "buyer" | "other", Person>;
/** An item that an agent sold to a student, and that another student bid less for. */
export type SoldByTraders = Traders & { productId: string; saleId: string };

/** Creates a seller and two bidders. */
export const traders = async (w: Wayfare): Promise<Traders> => ({
  seller: await person(w, "agent", "pending"),
  buyer: await person(w, "student", "active"),
  other: await person(w, "student", "active"),
});

/** Inserts an item that the first of three people sold to the second, and that the third bid less for. */
export async function soldByTraders(w: Wayfare, changes: Partial<SoldItem> = {}): Promise<SoldByTraders> {
  const people = await traders(w);
  const { seller, buyer, other } = people;
  return { ...people, ...(await soldItem(w, { seller, buyer, others: [[other, 42_000]], ...changes })) };
}
