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
