import { z } from "zod";
import { auctionLimits, categories, grades } from "#domain/auction.ts";
import { auctionSorts, bidFilters, endsWithinChoices, searchFits } from "#domain/auction-list.ts";
import { deliveryWays } from "#domain/delivery.ts";
import { auctionsPerPage } from "#protocol/page-sizes.ts";
import { cents, pageOf, text, uuid } from "./base.ts";

/** Auctions are public, so `not-found` is no sign of an attempt to reach another user's data. */
export const deniedOnly = ["permission-denied"] as const;
export const productId = uuid;

export const category = z.enum(categories);
export const grade = z.enum(grades);
/** A time in a `ProductState`. Watchers of a hot product read it often, so it needs no parsing. */
export const milliseconds = z.number().int();

/** Ways of delivery: the town of a collection, or empty; the price of a courier in cents, or null. */
export const delivery = { collectionPlace: z.string(), courier: cents.nullable() };

/** A picture of a product, at /pictures/{id}/{width}.webp and .jpg. `width` and `height`: the original's, in pixels. */
export const picture = z
  .object({ id: z.string(), width: z.number().int(), height: z.number().int() })
  .meta({ title: "Picture" });
export type Picture = z.infer<typeof picture>;

/**
 * The part of a product's card that bids change, which is also sent live as the event `card:{id}`. `leader` is the tag
 * of the highest bidder.
 */
export const cardState = z.object({
  id: z.string(),
  version: z.number().int(),
  state: z.enum(["open", "sold", "unsold"]),
  price: cents,
  bidCount: z.number().int(),
  leader: z.string().nullable(),
  endDate: milliseconds,
});
export type CardState = z.infer<typeof cardState>;
/** The live event: the state, or null if the product was taken off sale; with the server's time in milliseconds. */
export type CardUpdate = { now: number; card: CardState | null };

/** The facts about a product that every list shows. */
export const listedFacts = z.object({
  id: z.string(),
  productName: z.string(),
  category,
  subcategory: z.string(),
  grade,
  price: cents,
  bidCount: z.number().int(),
  endDate: z.date(),
  picture: picture.nullable(),
  ...delivery,
});

/** `fit`: how it matches the search if sorted by that, else null. `lateBidsExtend`: whether late bids move the end. */
export const listedProduct = listedFacts
  .extend({
    version: z.number().int(),
    fit: z.enum(searchFits).nullable(),
    lateBidsExtend: z.boolean(),
  })
  .meta({ title: "Product" });
export type ListedProduct = z.infer<typeof listedProduct>;

export const productsInput = z.object({
  search: text(auctionLimits.search).default(""),
  category: category.optional(),
  subcategory: text(40).optional(),
  grade: grade.optional(),
  /** The lowest and the highest price, in cents. */
  priceFrom: cents.min(0).optional(),
  priceTo: cents.min(0).optional(),
  endsWithin: z.enum(endsWithinChoices).optional(),
  bids: z.enum(bidFilters).optional(),
  delivery: z.enum(deliveryWays).optional(),
  /** Only products that the seller of this one has on sale. */
  sellerOf: productId.optional(),
  /** Defaults to `bestMatch` with a search, else to `endingSoonest`. */
  sort: z.enum(auctionSorts).optional(),
  ...pageOf(auctionsPerPage),
});
/**
 * `count`: the number of products a second ago, counted up to `maxAuctions`; null if counting would take too long.
 * `corrected`: the search that was run instead, if nothing matches the typed one; otherwise null.
 */
export const listedPage = z.object({
  now: z.date(),
  products: z.array(listedProduct),
  next: z.string().nullable(),
  count: z.number().int().nullable(),
  corrected: z.string().nullable(),
});
export type ListedPage = z.infer<typeof listedPage>;
