import { z } from "zod";
import { auctionLimits, categories, grades } from "#domain/auction.ts";
import { deliveryWays } from "#domain/delivery.ts";
import { searchMails, watchLimits, watchTexts } from "#domain/watching.ts";
import { cardsPerStream } from "#protocol/live-topic.ts";
import { maxHits, ownAuctionsPerPage } from "#protocol/page-sizes.ts";
import { cents, done, formText, guarded, pageOf, text, uuid } from "./base.ts";
import { declared } from "./errors.ts";
import { deniedOnly, listedFacts, productId } from "./listed-products.ts";

const searchId = uuid;

/** `ended`: its time is over, and it is about to be settled. `since`: when the watching began. */
const watchedItem = listedFacts
  .extend({ state: z.enum(["open", "ended", "sold", "unsold"]), isWinning: z.boolean(), since: z.date() })
  .meta({ title: "WatchedItem" });
export type WatchedItem = z.infer<typeof watchedItem>;

/**
 * The viewer's relation to a product, for its card and its page: `tag` is theirs among its bidders, `watchers` the
 * number of its watchers, only for its seller.
 */
const mark = z.object({
  productId: z.string(),
  tag: z.string(),
  isSeller: z.boolean(),
  hasBid: z.boolean(),
  isWatching: z.boolean(),
  watchers: z.number().int().nullable(),
});
export type ProductMark = z.infer<typeof mark>;

/** The filters of a saved search. */
export const searchFilters = z
  .object({
    search: text(auctionLimits.search).default(""),
    category: z.enum(categories).nullable().default(null),
    subcategory: text(40).nullable().default(null),
    grade: z.enum(grades).nullable().default(null),
    delivery: z.enum(deliveryWays).nullable().default(null),
    priceFrom: cents.min(0).nullable().default(null),
    priceTo: cents.min(0).nullable().default(null),
  })
  .meta({ title: "SearchFilters" });

const mail = z.enum(searchMails);

/** `unseen`: new items since it was last opened, counted up to 100. */
const savedSearch = z
  .object({
    id: z.string(),
    name: z.string(),
    filters: searchFilters,
    mail,
    unseen: z.number().int(),
    createdAt: z.date(),
  })
  .meta({ title: "SavedSearch" });
export type SavedSearch = z.infer<typeof savedSearch>;

/** A user's watched items and saved searches (docs/product.md, "Watching"). */
export const watching = {
  items: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/watched-items",
      summary: "List the items that you watch",
      description:
        "Returns open auctions first, the one that ends soonest at the top, and then ended ones, the one that ended last first. Items that were taken off sale are left out.",
    })
    .input(z.object({ ...pageOf(ownAuctionsPerPage) }))
    .output(z.object({ items: z.array(watchedItem), next: z.string().nullable() })),

  /** Refusals: not found, the caller's own or an ended one (`failed-precondition`), too many (`resource-exhausted`). */
  watch: guarded({ who: "signedIn", audited: deniedOnly, visitorMessage: watchTexts.loginToWatch })
    .route({
      method: "PUT",
      path: "/watched-items/{productId}",
      summary: "Watch an item",
      description: `You are notified once, an hour before the auction ends, unless you lead then. You can watch up to ${watchLimits.items} items. \`failed-precondition\`: the item is your own, or its auction has ended. \`resource-exhausted\`: you watch too many items.`,
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ productId }))
    .output(done),

  unwatch: guarded({ who: "signedIn" })
    .route({
      method: "DELETE",
      path: "/watched-items/{productId}",
      summary: "Stop watching an item",
      description: "The call has no effect if you don't watch the item.",
    })
    .input(z.object({ productId }))
    .output(done),

  /** Returns the viewer's relation to these products. Unknown ones are left out. */
  marks: guarded({ who: "signedIn", reads: true })
    .input(z.object({ productIds: z.array(productId).max(cardsPerStream) }))
    .output(z.object({ marks: z.array(mark) })),

  searches: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/saved-searches",
      summary: "List your saved searches",
      description: `Returns searches by name. \`unseen\` counts new items that you haven't looked at, up to ${maxHits + 1}; your own items are left out.`,
    })
    .output(z.object({ searches: z.array(savedSearch) })),

  saveSearch: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/saved-searches",
      summary: "Save a search",
      description: `You can save up to ${watchLimits.searches} searches. The filters must have a word, a category or a grade. The bell shows new items at most once a day; \`mail\` says how often they are emailed. \`resource-exhausted\`: you have too many saved searches.`,
    })
    .errors(declared("form/incomplete"))
    .input(z.object({ name: formText, filters: searchFilters, mail }))
    .output(savedSearch),

  changeSearch: guarded({ who: "signedIn" })
    .route({
      method: "PUT",
      path: "/saved-searches/{searchId}",
      summary: "Rename a saved search, or change its emails",
      description: "The filters of the search stay the same.",
    })
    .errors(declared("not-found", "form/incomplete"))
    .input(z.object({ searchId, name: formText, mail }))
    .output(done),

  /** Marks all new items of a search as seen. */
  seeSearch: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/saved-searches/{searchId}/seen",
      summary: "Mark a saved search's new items as seen",
      description: "Marks the items that have been found so far.",
    })
    .errors(declared("not-found"))
    .input(z.object({ searchId }))
    .output(done),

  removeSearch: guarded({ who: "signedIn" })
    .route({
      method: "DELETE",
      path: "/saved-searches/{searchId}",
      summary: "Remove a saved search",
      description: "You are no longer notified of new items.",
    })
    .errors(declared("not-found"))
    .input(z.object({ searchId }))
    .output(done),
};
