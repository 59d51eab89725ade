import { searchWords } from "#domain/search-words.ts";

/** The orders of /auctions (docs/product.md, "Finding items"). */
export const auctionSorts = ["bestMatch", "endingSoonest", "newest", "priceUp", "priceDown"] as const;
export type AuctionSort = (typeof auctionSorts)[number];
/** The orders of a list without a search: nothing matches better or worse there. */
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
export function auctionOrder(chosen: AuctionSort | null | undefined, search: string): AuctionSort {
  if (searchWords(search).length > 0) return chosen ?? "bestMatch";
  return chosen == null || chosen === "bestMatch" ? "endingSoonest" : chosen;
}

/** Positions of one's bid on a product, in the order of My bids: the most urgent first. */
export const bidPositions = ["outbid", "winning", "won", "lost", "removed"] as const;
export type BidPosition = (typeof bidPositions)[number];

/** The parts of one's own products. `open`: also what is about to be settled. */
export const ownParts = ["open", "unsold", "sold"] as const;
export type OwnPart = (typeof ownParts)[number];
