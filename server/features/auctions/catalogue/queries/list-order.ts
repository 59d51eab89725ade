import { z } from "zod";
import { type Category, type Grade, grades, isSubcategoryOf, type Kind, kinds } from "#domain/auction.ts";
import type { AuctionSort } from "#domain/auction-list.ts";
import { type Cursor, cursorForm, cursorTime } from "#server/platform/cursor.ts";

/** What is asked for; a subcategory counts only within its own category. */
export type Filter = {
  category?: Category | undefined;
  subcategory?: string | undefined;
  grade?: Grade | undefined;
};
/** The kinds of products and the grades that are asked for; null when all are. */
export type Facets = { kinds: readonly Kind[]; grades: readonly Grade[] };

export function facetsOf({ category, subcategory, grade }: Filter): Facets | null {
  if (category === undefined && grade === undefined) return null;
  const only = category !== undefined && subcategory !== undefined && isSubcategoryOf(category, subcategory);
  const isAsked = (kind: Kind) =>
    (category === undefined || kind.category === category) && (!only || kind.subcategory === subcategory);
  return { kinds: kinds.filter(isAsked), grades: grade === undefined ? grades : [grade] };
}

/** An order of /auctions in the words of its indexes. */
export type Order = {
  table: "auction_product" | "auction_bidding";
  open: string;
  id: "id" | "product_id";
  key: "end_date" | "created_at" | "price";
  type: "timestamptz" | "bigint";
  direction: "asc" | "desc";
};

const byTime = {
  table: "auction_product",
  open: "state = 'open'",
  id: "id",
  type: "timestamptz",
} as const;
const byPrice = {
  table: "auction_bidding",
  open: "open",
  id: "product_id",
  key: "price",
  type: "bigint",
} as const;

export const orders: Record<AuctionSort, Order> = {
  endingSoonest: { ...byTime, key: "end_date", direction: "asc" },
  newest: { ...byTime, key: "created_at", direction: "desc" },
  priceUp: { ...byPrice, direction: "asc" },
  priceDown: { ...byPrice, direction: "desc" },
};

/** Keys are times as ISO 8601 has them, or cents. */
export const cursorForms: Record<Order["type"], z.ZodType<Cursor>> = {
  timestamptz: cursorForm(cursorTime, z.uuid()),
  bigint: cursorForm(z.string().regex(/^\d{1,15}$/), z.uuid()),
};
