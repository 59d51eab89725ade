import { z } from "zod";
import { removers } from "#domain/auction.ts";
import { bidPositions, ownParts } from "#domain/auction-list.ts";
import { bidForms, bidTexts } from "#domain/bid.ts";
import { cardsPerStream } from "#protocol/live-topic.ts";
import { bidsPerPage, ownAuctionsPerPage, similarItems } from "#protocol/page-sizes.ts";
import { cents, done, guarded, longFormText, open, pageLimit, pageOf, uuid } from "./base.ts";
import { bidAnswer } from "./bid-receipt.ts";
import { declared } from "./errors.ts";
import {
  cardState,
  category,
  delivery,
  deniedOnly,
  grade,
  listedFacts,
  listedPage,
  listedProduct,
  milliseconds,
  picture,
  productId,
  productsInput,
} from "./listed-products.ts";
import { saleRecord, saleStanding } from "./sale-views.ts";
import { bid, shownBid } from "./shown-bid.ts";

export type { Bid, ShownBid } from "./shown-bid.ts";

/** A seller's later addition to the description; `at` is in milliseconds. */
const addition = z.object({ text: z.string(), at: milliseconds });
export type Addition = z.infer<typeof addition>;

/** The seller: masked name, the time `since` which they are a member, and items `sold`, counted up to `maxSold`. */
const seller = z.object({
  name: z.string(),
  since: milliseconds,
  sold: z.number().int(),
  /** The results of their sales, from the third on. */
  record: saleRecord.optional(),
});
export type Seller = z.infer<typeof seller>;

/**
 * The public state of a product (docs/auctions.md, "What everyone sees"), which is also sent live as the event
 * `product:{id}`. Amounts in cents, times in milliseconds since 1970.
 */
export const productState = z.object({
  id: z.string(),
  /** Grows with every change. */
  version: z.number().int(),
  productName: z.string(),
  description: z.string(),
  category,
  subcategory: z.string(),
  grade,
  handover: z.string(),
  ...delivery,
  /** Grows with every edit by the seller; a bid can name it. */
  terms: z.number().int(),
  /** The seller's ended product that this one was copied from. */
  formerId: z.string().nullable(),
  additions: z.array(addition),
  /** The number of answered questions. */
  answered: z.number().int(),
  /** Null once the account is deleted. */
  seller: seller.nullable(),
  startingBid: cents,
  createdAt: milliseconds,
  /** Late bids move it beyond `plannedEnd`, up to `latestEnd`. */
  endDate: milliseconds,
  plannedEnd: milliseconds,
  /** Null if the end is fixed. */
  latestEnd: milliseconds.nullable(),
  /** The version of /auction-rules that the product was listed under. */
  rules: z.number().int(),
  state: z.enum(["open", "sold", "unsold"]),
  price: cents,
  leastBid: cents,
  /** The number of bids that count. */
  bidCount: z.number().int(),
  /** The tag of the highest bidder. */
  leader: z.string().nullable(),
  winner: z.string().nullable(),
  /** Null until the product is sold. */
  winningBid: cents.nullable(),
  /** Set if the sale fell through, or was made by a second chance after the first one did. */
  sale: z.enum(["fellThrough", "secondChance"]).optional(),
  pictures: z.array(picture),
  /** The latest bids, newest first. */
  bids: z.array(shownBid),
});
export type ProductState = z.infer<typeof productState>;
/**
 * The live event: the state, or null if the product was taken off sale; with the server's time in milliseconds.
 * `watching` is the number of watchers in the last two minutes, if they are a crowd (domain/crowd.ts).
 */
export type ProductUpdate = { now: number; product: ProductState | null; watching?: number };

/** `ended`: its time is over, and it is about to be settled. */
const ownProduct = listedFacts
  .extend({
    state: z.enum(["open", "ended", "sold", "unsold"]),
    createdAt: z.date(),
    /** Whether there was ever a bid on it: from then on it can't be changed, even if no bid counts any more. */
    hadBids: z.boolean(),
    /** The buyer's name once it is sold and while they have an account. */
    buyer: z.string().nullable(),
    /** The state of its latest sale once it is sold. */
    sale: saleStanding.nullable(),
  })
  .meta({ title: "OwnProduct" });
export type OwnProduct = z.infer<typeof ownProduct>;

/** A product that the caller has bid on, and the position of their bid; `reason` is an admin's for removing it. */
const myBid = z
  .object({
    productId: z.string(),
    productName: z.string(),
    picture: picture.nullable(),
    position: z.enum(bidPositions),
    removedBy: z.enum(removers).nullable(),
    reason: z.string(),
    amount: cents,
    /** The sale's price once it is `sold`; else the highest bid. */
    price: cents,
    sold: z.boolean(),
    endDate: z.date(),
    since: z.date(),
  })
  .meta({ title: "OwnBid" });
export type MyBid = z.infer<typeof myBid>;

/** `leaves`: the day until which a user whose account is to be deleted can be reached; null for all others. */
const contact = z
  .object({ name: z.string(), email: z.string(), phone: z.string(), leaves: z.date().nullable() })
  .meta({ title: "Contact" });

/** The auction marketplace (docs/product.md, "Auctions"). Every signed-in user may trade. */
export const auctions = {
  list: open
    .route({
      method: "GET",
      path: "/auctions",
      summary: "List open auctions",
      description:
        "Returns the items that can be bid on now. `search` matches words of the name, kind and description; if nothing matches, `corrected` is the search that was run instead. `priceFrom` and `priceTo` are in cents. `sellerOf` is the id of an item, and finds what its seller has on sale. If the items are sorted by `bestMatch`, `fit` says how each of them matches the search. `now` is the server's time. `count` is the number of items, counted up to 501; it is null after the first page, and where counting would take too long.",
    })
    .errors(declared("deadline-exceeded"))
    .input(productsInput)
    .output(listedPage),

  /** Returns the public state of a product. GET /auctions/products/{id} returns it too, from memory and with a tag. */
  product: open
    .route({ method: "GET" })
    .errors(declared("not-found"))
    .input(z.object({ productId }))
    .output(productState),

  /** Returns the current state of these products' cards, without products that were taken off sale. */
  cards: open
    .route({ method: "GET" })
    .input(z.object({ productIds: z.array(productId).max(cardsPerStream) }))
    .output(z.object({ now: milliseconds, cards: z.array(cardState) })),

  /** Open auctions that are similar to a product: of its kind, those with words of its name first. */
  similar: open
    .route({
      method: "GET",
      path: "/auctions/{productId}/similar",
      summary: "List similar items",
      description: `Returns at most ${similarItems} open auctions of the same kind. Items whose names share words with this one come first.`,
    })
    .errors(declared("not-found", "deadline-exceeded"))
    .input(z.object({ productId }))
    .output(z.object({ now: z.date(), products: z.array(listedProduct) })),

  bids: open
    .route({
      method: "GET",
      path: "/auctions/{productId}/bids",
      summary: "List the bids on an item",
      description:
        "Returns bids, newest first. For the next page, set `below` to the `next` of the previous page. The names of bidders are masked. `tag` identifies a bidder, on this item only.",
    })
    .errors(declared("not-found"))
    .input(z.object({ productId, below: z.int32().min(1).optional(), limit: pageLimit(bidsPerPage) }))
    .output(z.object({ bids: z.array(bid), next: z.number().int().nullable() })),

  /**
   * The caller's relation to a product: their tag, their own highest bid, and their limit while they lead with one; for
   * the seller the bidders' names by tag; for seller and winner the other's contact details once it is sold.
   */
  relation: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "GET",
      path: "/auctions/{productId}/relation",
      summary: "Get your part in an auction, and contact details after the sale",
      description:
        "Returns your tag, your highest bid and, while you lead with one, your limit, which nobody else sees. The seller also gets the bidders' names by tag. Once the item is sold, the seller and the winner get each other's contact details.",
    })
    .errors(declared("not-found"))
    .input(z.object({ productId }))
    .output(
      z.object({
        tag: z.string(),
        isSeller: z.boolean(),
        ownBid: cents.nullable(),
        withdrawn: z.boolean().meta({ description: "Whether your bids were withdrawn or voided." }),
        ownLimit: cents.nullable(),
        names: z.record(z.string(), z.string()),
        contact: contact.nullable(),
      }),
    ),

  /**
   * Bids an amount in cents: exactly that, or `upTo` that. `leading` and `least`, the least bid in cents, are as of the
   * response. Refusals in this order: login, not found, own product (`permission-denied`), ended
   * (`failed-precondition`, with the time of the decision), too low and too high (`out-of-range`, with the least bid in
   * cents), too high for a user whose email address isn't verified yet (`account/unverified`), changed by its seller
   * since the bidder saw its `terms` (`failed-precondition`). The contract itself refuses an input that isn't an amount
   * in cents. A key that was used for another bid: `already-exists`.
   */
  bid: guarded({ who: "signedIn", audited: [], limit: "ownOnly", visitorMessage: bidTexts.login })
    .route({
      method: "POST",
      path: "/auctions/{productId}/bids",
      summary: "Place a bid",
      description:
        "A bid is binding. `amount` is in whole cents and must be at least R1 above the highest bid, or at least the starting bid if there are no bids. If `form` is `exact`, you bid that amount. If it is `upTo`, you bid the lowest amount that leads, and Wayfare outbids rivals for you up to `amount`, which nobody else learns. The leader's `upTo` may be as low as the price. Another bidder's limit may outbid an accepted bid immediately; `leading` is then false. Keep the `receipt`: it proves later that the bid stands in the item's history as it was accepted. Its `salt` opens the commitment to your limit; the commitment to a limit that you moved is in `moved`. `receipt` is null for items without a chained history. `terms` are the item's terms as you saw them. `out-of-range`: the amount is too low, and `least` is the lowest amount that you can bid; or it is too high. `failed-precondition`: the auction has ended, or the seller has changed the item since those terms. `permission-denied`: the item is your own, or your strikes bar you from bidding. `account/unverified`: your email address isn't verified, so you can't bid that much. `already-exists`: the `Idempotency-Key` was used for another bid.",
    })
    .errors(
      declared("not-found", "failed-precondition", "out-of-range", "already-exists", "account/unverified"),
    )
    .input(
      z.object({
        productId,
        amount: cents,
        form: z.enum(bidForms).default("exact"),
        idempotencyKey: uuid,
        terms: z.int32().min(1).optional(),
      }),
    )
    .output(bidAnswer),

  /** Finds the caller's bid by the key that it was sent with, if its response got lost; null if none was placed. */
  bidByKey: guarded({ who: "signedIn", reads: true })
    .input(z.object({ idempotencyKey: uuid }))
    .output(bidAnswer.nullable()),

  own: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/items",
      summary: "List your items",
      description:
        "Returns the items that you sell or have sold, newest first: all of them, or one `part` (`open`, `unsold` or `sold`). The state `ended` means that the time is over and the auction is about to be settled.",
    })
    .input(z.object({ part: z.enum(ownParts).optional(), ...pageOf(ownAuctionsPerPage) }))
    .output(z.object({ products: z.array(ownProduct), next: z.string().nullable() })),

  remove: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/auctions/{productId}/removal",
      summary: "Take an item off sale",
      description:
        "Removes your own item or, if you are an admin, any item, with a `reason` that the seller and the bidders read. Only admins can remove an item that is sold, or that has bids in the last 12 hours of its auction.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ productId, reason: longFormText }))
    .output(done),

  myBids: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/bids",
      summary: "List your bids",
      description:
        "Returns everything that you have bid on, grouped by `position`. In each group, open auctions are in the order of their end, earliest first, and the others in the order of your first bid, latest first.",
    })
    .input(z.object({ ...pageOf(ownAuctionsPerPage) }))
    .output(z.object({ bids: z.array(myBid), next: z.string().nullable() })),
};
