/** The end of an auction; `latestEnd` is the latest moment to which late bids may move it, null for a fixed end. */
type AuctionEnd = { endDate: Date; latestEnd: Date | null };

/** Whether an auction is over. A bid at exactly `endDate` is too late. */
export const hasEnded = (endDate: Date, now: Date): boolean => now.getTime() >= endDate.getTime();

/**
 * Soft close, in milliseconds: a rival's bid in the last two minutes moves the end to two minutes after it, at most an
 * hour beyond the planned end (docs/product.md, "The end").
 */
const softClose = { window: 2 * 60_000, longest: 60 * 60_000 } as const;

/** Returns the latest moment to which late bids move the end of an auction, or null if the end is fixed. */
export const latestEndOf = (product: { endDate: Date; softClose: boolean }): Date | null =>
  product.softClose ? new Date(product.endDate.getTime() + softClose.longest) : null;

/** Returns the end after a rival's accepted bid. */
export function endAfterBid({ endDate, latestEnd }: AuctionEnd, now: Date): Date {
  if (latestEnd === null || endDate.getTime() - now.getTime() > softClose.window) return endDate;
  const laterEnd = Math.min(now.getTime() + softClose.window, latestEnd.getTime());
  return laterEnd > endDate.getTime() ? new Date(laterEnd) : endDate;
}
