import { z } from "zod";
import { auctionLimits, categories, grades, removers } from "#domain/auction.ts";
import { auctionSorts, bidPositions } from "#domain/auction-list.ts";
import { auctionsPerPage, bidsPerPage, ownAuctionsPerPage } from "#protocol/page-sizes.ts";
import { done, guarded, open, pageLimit, pageOf, text } from "./base.ts";
import { declared } from "./errors.ts";

const typed = text(8192).default("");
const uuid = z.uuid().toLowerCase();
const productId = uuid;
/** Integer cents. */
const cents = z.number().int();
const category = z.enum(categories);
const grade = z.enum(grades);

/** A picture of a product, at /pictures/{id}/{width}.webp and .jpg. `width` and `height` are the original's, in pixels. */
const picture = z.object({ id: z.string(), width: z.number().int(), height: z.number().int() });
export type Picture = z.infer<typeof picture>;

/** One bid as everyone sees it. `tag` stands for the bidder on this product's page alone; `at` in milliseconds since 1970. */
const shownBid = z.object({
  number: z.number().int(),
  bidder: z.string(),
  tag: z.string(),
  amount: cents,
  at: z.number(),
});
export type ShownBid = z.infer<typeof shownBid>;

/** Who sells, masked; a member since so many milliseconds since 1970; `sold`: items so far, counted up to `soldCounted`. */
export type Seller = { name: string; since: number; sold: number };

/**
 * What everyone sees of a product (docs/auctions.md, "What everyone sees"): answered by GET /auctions/products/{id}, with the server's
 * time in X-Server-Time, and sent live as the event `product:{id}`. Amounts in cents, times in milliseconds since
 * 1970. `version` grows with every change; `leader` is the tag of the highest bidder; `bids` are the latest, newest
 * first; `winningBid` is set once it is sold; `seller` is null once their account is gone.
 */
export type ProductState = {
  id: string;
  version: number;
  productName: string;
  description: string;
  category: z.infer<typeof category>;
  subcategory: string;
  grade: z.infer<typeof grade>;
  handover: string;
  seller: Seller | null;
  startingBid: number;
  createdAt: number;
  endDate: number;
  state: "open" | "sold" | "unsold";
  price: number;
  leastBid: number;
  bidCount: number;
  leader: string | null;
  winner: string | null;
  winningBid: number | null;
  pictures: Picture[];
  bids: ShownBid[];
};
/** The live event: the state, or that the product was taken off sale; with the server's time in milliseconds. */
export type ProductNews = { now: number; product: ProductState | null };

/** `endDate` in milliseconds since 1970, as in `ProductState`. */
const listed = z.object({
  id: z.string(),
  productName: z.string(),
  category,
  subcategory: z.string(),
  grade,
  price: cents,
  bidCount: z.number().int(),
  endDate: z.number(),
  picture: picture.nullable(),
});
export type ListedProduct = z.infer<typeof listed>;

const productsAsked = z.object({
  search: text(auctionLimits.search).default(""),
  category: category.optional(),
  subcategory: text(40).optional(),
  grade: grade.optional(),
  sort: z.enum(auctionSorts).default("endingSoonest"),
  ...pageOf(auctionsPerPage),
});
/** `count`: how many there are, a second ago, counted up to `auctionsCounted`; null where that would take too long. */
const listedPage = z.object({
  now: z.date(),
  products: z.array(listed),
  next: z.string().nullable(),
  count: z.number().int().nullable(),
});
export type ListedPage = z.infer<typeof listedPage>;

/** `ended`: its time is over, and it is about to be settled. */
const ownProduct = listed.extend({
  state: z.enum(["open", "ended", "sold", "unsold"]),
  createdAt: z.number(),
});
export type OwnProduct = z.infer<typeof ownProduct>;

/** Where one's bid on a product stands; `reason` is an admin's for removing it. Times in milliseconds since 1970. */
const myBid = z.object({
  productId: z.string(),
  productName: z.string(),
  picture: picture.nullable(),
  position: z.enum(bidPositions),
  removedBy: z.enum(removers).nullable(),
  reason: z.string(),
  amount: cents,
  /** What it was sold for, once it is `sold`; else the highest bid. */
  price: cents,
  sold: z.boolean(),
  endDate: z.number(),
  since: z.number(),
});
export type MyBid = z.infer<typeof myBid>;

const contact = z.object({ name: z.string(), email: z.string(), phone: z.string() });

/** The auction marketplace (docs/product.md, "Auctions"). Anyone signed in trades. */
export const auctions = {
  /** The open ones, with the server's time. `search` finds words of name and description. */
  list: open
    .route({ method: "GET", path: "/auctions", summary: "Open auctions" })
    .errors(declared("deadline-exceeded"))
    .input(productsAsked)
    .output(listedPage),

  /** Older bids of a product, newest first; `below` is the smallest number seen so far. */
  bids: open
    .route({ method: "GET", path: "/auctions/{productId}/bids", summary: "Bids on an item" })
    .errors(declared("not-found"))
    .input(z.object({ productId, below: z.int32().positive(), limit: pageLimit(bidsPerPage) }))
    .output(z.object({ bids: z.array(shownBid), next: z.number().int().nullable() })),

  /**
   * What a product's page shows to the one who asks: their tag, their own highest bid; to the seller the bidders' names
   * by tag; to seller and winner the other's contact details once it is sold.
   */
  relation: guarded
    .route({
      method: "GET",
      path: "/auctions/{productId}/relation",
      summary: "Your part in an auction, and contact details once sold",
    })
    .errors(declared("not-found"))
    .input(z.object({ productId }))
    .output(
      z.object({
        tag: z.string(),
        isSeller: z.boolean(),
        ownBid: cents.nullable(),
        names: z.record(z.string(), z.string()),
        contact: contact.nullable(),
      }),
    ),

  /**
   * Bids an amount as it was typed. Refusals in this order: login, not found, own product (`permission-denied`), ended
   * (`failed-precondition`, with the time it was decided at), not an amount (`invalid-argument`), too low and too high
   * (`out-of-range`, with the least bid in cents), too high for somebody whose email address isn't verified yet
   * (`account/unverified`). A key that was used for another bid: `already-exists`.
   */
  bid: guarded
    .route({ method: "POST", path: "/auctions/{productId}/bids", summary: "Place a bid" })
    .errors(
      declared("not-found", "failed-precondition", "out-of-range", "already-exists", "account/unverified"),
    )
    .input(z.object({ productId, amount: text(4096), idempotencyKey: uuid }))
    .output(z.object({ number: z.number().int(), amount: cents, at: z.date() })),

  /** `images` are ids of pictures that POST /files/auction-pictures answered, in their order. */
  create: guarded
    .route({ method: "POST", path: "/auctions", summary: "Put an item up for auction" })
    .errors(declared("form/incomplete", "not-found"))
    .input(
      z.object({
        productName: typed,
        description: typed,
        startingBid: typed,
        category: typed,
        subcategory: typed,
        grade: typed,
        handover: typed,
        endDate: z.date().nullable().default(null),
        images: z.array(uuid).max(50).default([]),
      }),
    )
    .output(z.object({ id: z.string() })),

  /** One's own products, newest first. */
  own: guarded
    .route({ method: "GET", path: "/items", summary: "Your items" })
    .input(z.object({ ...pageOf(ownAuctionsPerPage) }))
    .output(z.object({ products: z.array(ownProduct), next: z.string().nullable() })),

  /** Takes a product off sale: the seller's own, or any, with a reason, by an admin. */
  remove: guarded
    .route({ method: "POST", path: "/auctions/{productId}/removal", summary: "Take an item off sale" })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ productId, reason: typed }))
    .output(done),

  /** What one bids for, by position; then of the open ones what ends first, of the others what was begun last. */
  myBids: guarded
    .route({ method: "GET", path: "/bids", summary: "Your bids" })
    .input(z.object({ ...pageOf(ownAuctionsPerPage) }))
    .output(z.object({ bids: z.array(myBid), next: z.string().nullable() })),
};
