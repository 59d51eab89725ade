/** The orders of /auctions (docs/product.md, "Finding items"). */
export const auctionSorts = ["endingSoonest", "newest", "priceUp", "priceDown"] as const;
export type AuctionSort = (typeof auctionSorts)[number];
export const auctionSortLabels: Record<AuctionSort, string> = {
  endingSoonest: "Ending soonest",
  newest: "Newest",
  priceUp: "Price: low to high",
  priceDown: "Price: high to low",
};
export const isAuctionSort = (text: string): text is AuctionSort =>
  auctionSorts.some((each) => each === text);

/** Where one's bid on a product stands, in the order of My bids: what needs doing first. */
export const bidPositions = ["outbid", "winning", "won", "lost", "removed"] as const;
export type BidPosition = (typeof bidPositions)[number];

/** Rows on a page of /auctions, of one's own products and of My bids; bids in a product's history at once. */
export const auctionsPerPage = 24;
export const ownAuctionsPerPage = 30;
export const bidsPerPage = 20;

/** Open auctions, and what a seller has sold, are counted so far and no further: "500+ auctions". */
export const auctionsCounted = 500;
export const soldCounted = 100;
/** A number that was counted up to `most`. */
export const countedText = (count: number, most: number): string => (count > most ? `${most}+` : `${count}`);
