import { keysOf } from "#domain/keys-of.ts";
import { searchWords } from "#domain/search-words.ts";

/** The sort orders of /auctions (docs/product.md, "Finding items"). */
export const auctionSorts = ["bestMatch", "endingSoonest", "newest", "priceUp", "priceDown"] as const;
export type AuctionSort = (typeof auctionSorts)[number];
/** The sort orders of a list without a search, where there are no better matches. */
export const plainSorts = auctionSorts.filter((sort) => sort !== "bestMatch");
export const auctionSortLabels: Record<AuctionSort, string> = {
  bestMatch: "Best match",
  endingSoonest: "Ending soonest",
  newest: "Newest",
  priceUp: "Price: low to high",
  priceDown: "Price: high to low",
};
export const isAuctionSort = (text: string): text is AuctionSort =>
  auctionSorts.some((each) => each === text);

/**
 * Returns the order of a list: the chosen one, else the best matches of a search, else the auctions that end soonest.
 */
export function auctionOrder(sort: AuctionSort | null | undefined, search: string): AuctionSort {
  if (searchWords(search).length > 0) return sort ?? "bestMatch";
  return sort == null || sort === "bestMatch" ? "endingSoonest" : sort;
}

/** Positions of a viewer's bid on a product, in the order of My bids: the most urgent first. */
export const bidPositions = ["outbid", "winning", "won", "lost", "withdrawn", "removed"] as const;
export type BidPosition = (typeof bidPositions)[number];

/** The parts of a seller's list of products. `open` includes products that are about to be settled. */
export const ownParts = ["open", "unsold", "sold"] as const;
export type OwnPart = (typeof ownParts)[number];

/** How an item matches a search, the best first: its name has the words, or it only mentions them. */
export const searchFits = ["called", "mentioned"] as const;
export type SearchFit = (typeof searchFits)[number];
/** The headings over each kind of match. */
export const fitHeadings: Record<SearchFit, string> = { called: "Called so", mentioned: "Mentioned" };

/** The choices of "Ends within", in milliseconds. */
export const endsWithin = {
  "1h": 3_600_000,
  "24h": 24 * 3_600_000,
  "3d": 3 * 24 * 3_600_000,
  "7d": 7 * 24 * 3_600_000,
} as const;
export type EndsWithin = keyof typeof endsWithin;
export const endsWithinLabels: Record<EndsWithin, string> = {
  "1h": "1 hour",
  "24h": "24 hours",
  "3d": "3 days",
  "7d": "7 days",
};
export const endsWithinChoices = keysOf(endsWithin);
export const isEndsWithin = (text: string): text is EndsWithin => Object.hasOwn(endsWithin, text);

export const bidFilters = ["none", "some"] as const;
export type BidFilter = (typeof bidFilters)[number];
export const bidFilterLabels: Record<BidFilter, string> = { none: "No bids yet", some: "Has bids" };
export const isBidFilter = (text: string): text is BidFilter => bidFilters.some((each) => each === text);
