import { type Category, categoryLabels, type Grade, isSubcategoryOf } from "#domain/auction.ts";
import { type DeliveryWay, deliveryWayLabels } from "#domain/delivery.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { type Cents, formatMoney } from "#domain/money.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import { searchWords } from "#domain/search-words.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** Most watched items and saved searches of one user; characters of a search's name. */
export const watchLimits = { items: 500, searches: 20, name: 60 } as const;
/** Days for which an ended item stays among the watched ones, and a hit with its search. */
export const keptFor = { ended: 90, hits: 30 } as const;
/** Milliseconds before the end at which watchers are notified of it. */
export const reminderLead = hour;

export const watchTexts = {
  loginToWatch: "Please log in to watch an item.",
  ownProduct: "You can't watch your own item.",
  ended: "This auction has ended, so there is nothing left to watch.",
  tooMany: `You watch ${watchLimits.items} items already. Please stop watching one first.`,
  tooManySearches: `You keep ${watchLimits.searches} searches already. Please remove one first.`,
} as const;

type WatchedAuction = { state: "open" | "sold" | "unsold" | "removed"; endsAt: Date; isSeller: boolean };
/** `watched`: the number of other items that the user watches. */
type Watcher = { isWatching: boolean; watched: number };
export type WatchOutcome = "watched" | "notFound" | "ownProduct" | "ended" | "tooMany";

/** Decides whether a user may watch an item. Watching it again changes nothing. */
export function decideWatch(auction: WatchedAuction, who: Watcher, now: Date): WatchOutcome {
  if (auction.state === "removed") return "notFound";
  if (auction.isSeller) return "ownProduct";
  if (who.isWatching) return "watched";
  if (auction.state !== "open" || auction.endsAt <= now) return "ended";
  return who.watched >= watchLimits.items ? "tooMany" : "watched";
}

/** `toldFor`: the end for which the watcher was notified or skipped; null if neither. */
type WatchedEnd = { endsAt: Date; watchedAt: Date; toldFor: Date | null; leads: boolean };
/** `passOver`: the watcher isn't notified now or later. */
export type EndingOutcome = "tell" | "passOver" | "wait";

/**
 * Decides whether to notify a watcher that an auction ends within the hour. Each is notified once, by the end at that
 * moment, even if the end moves later. A leader is skipped, since being outbid has its own notification. A user who
 * begins to watch in the last hour has just seen the end.
 */
export function decideEnding({ endsAt, watchedAt, toldFor, leads }: WatchedEnd, now: Date): EndingOutcome {
  const tellsAt = endsAt.getTime() - reminderLead;
  if (toldFor !== null || endsAt <= now || now.getTime() < tellsAt) return "wait";
  if (watchedAt.getTime() > tellsAt) return "wait";
  return leads ? "passOver" : "tell";
}

/** How often a saved search may send an email. The bell shows new items at most once a day either way. */
export const searchMails = ["daily", "weekly", "never"] as const;
export type SearchMail = (typeof searchMails)[number];
export const searchMailLabels: Record<SearchMail, string> = {
  daily: "Once a day",
  weekly: "Once a week",
  never: "Never",
};

/** The filters of /auctions that a new item can be compared with; amounts in cents. */
export type SearchFilters = {
  search: string;
  category: Category | null;
  subcategory: string | null;
  grade: Grade | null;
  delivery: DeliveryWay | null;
  priceFrom: Cents | null;
  priceTo: Cents | null;
};

/** Returns the filters without a subcategory of another category, and with a reversed range the right way round. */
export function normalisedFilters(filters: SearchFilters): SearchFilters {
  const { search, category, subcategory, priceFrom, priceTo } = filters;
  const isOfCategory = category !== null && subcategory !== null && isSubcategoryOf(category, subcategory);
  const isReversed = priceFrom !== null && priceTo !== null && priceFrom > priceTo;
  return {
    ...filters,
    search: search.trim(),
    subcategory: isOfCategory ? subcategory : null,
    ...(isReversed && { priceFrom: priceTo, priceTo: priceFrom }),
  };
}

/**
 * Whether a search may be saved. A price or a way of delivery alone would match half of the market, so a search needs
 * words, a category or a grade.
 */
export const maySaveSearch = ({
  search,
  category,
  grade,
}: Pick<SearchFilters, "search" | "category" | "grade">) =>
  searchWords(search).length > 0 || category !== null || grade !== null;

type SavedSearchField = "name" | "search";

/** Returns what is wrong with the name of a saved search, or null. */
export const savedSearchNameProblem = (name: string): Problem<"name"> | null =>
  name.trim() === ""
    ? wrong("name", "Please enter a name.")
    : tooLong("name", "The name", name, watchLimits.name);

/** Returns what is wrong with a search to save, or null. */
export function savedSearchProblem(name: string, filters: SearchFilters): Problem<SavedSearchField> | null {
  const problem = savedSearchNameProblem(name);
  if (problem) return problem;
  return maySaveSearch(filters)
    ? null
    : wrong("search", "Please choose a word, a category or a grade first.");
}

/** Describes a search in words: `“desk”, Home · Furniture, Grade A, R100.00 to R500.00`. */
export function searchInWords({
  search,
  category,
  subcategory,
  grade,
  delivery,
  priceFrom,
  priceTo,
}: SearchFilters): string {
  const kind = category === null ? "" : [categoryLabels[category], subcategory].filter(Boolean).join(" · ");
  const words = search.trim() === "" ? "" : `“${search.trim()}”`;
  const way = delivery === null ? "" : deliveryWayLabels[delivery];
  return [words, kind, grade ?? "", way, priceInWords(priceFrom, priceTo)]
    .filter((part) => part !== "")
    .join(", ");
}

/** Describes a range of prices in words; empty for any price. */
export function priceInWords(from: Cents | null, to: Cents | null): string {
  if (from !== null && to !== null) return `${formatMoney(from)} to ${formatMoney(to)}`;
  if (from !== null) return `from ${formatMoney(from)}`;
  return to === null ? "" : `up to ${formatMoney(to)}`;
}

/** Proposes a name for a search. */
export const proposedName = (filters: SearchFilters): string =>
  (filters.search.trim() || searchInWords(filters)).slice(0, watchLimits.name);

type NotificationHistory = { mail: SearchMail; toldAt: Date | null; mailedAt: Date | null };
/** `lookAgain` and `at`: the time at which to decide again. */
export type SearchDecision =
  | { kind: "tell"; mail: boolean; lookAgain: Date | null }
  | { kind: "later"; at: Date };

/**
 * Decides whether the bell shows a search's new items now, and whether an email does too. A weekly email waits for the
 * end of its week, and is sent if the items are still unseen then.
 */
export function decideSearchNotification(
  { mail, toldAt, mailedAt }: NotificationHistory,
  now: Date,
): SearchDecision {
  const isTold = toldAt !== null && now.getTime() - toldAt.getTime() < day;
  if (isTold) return { kind: "later", at: new Date(toldAt.getTime() + day) };
  if (mail === "never") return { kind: "tell", mail: false, lookAgain: null };
  const pause = mail === "daily" ? day : 7 * day;
  const nextMail = mailedAt === null ? now : new Date(mailedAt.getTime() + pause);
  return nextMail <= now
    ? { kind: "tell", mail: true, lookAgain: null }
    : { kind: "tell", mail: false, lookAgain: nextMail };
}
