import type { ProductState } from "#contract/auctions.ts";

/**
 * Says what has moved the end or may move it; null for a fixed end that stands. `format` writes a time with its seconds.
 */
export function movedEndText(
  { endDate, plannedEnd, latestEnd }: Pick<ProductState, "endDate" | "plannedEnd" | "latestEnd">,
  format: (time: Date) => string,
): string | null {
  // Late bids leave a fixed end alone: only the leader's withdrawal moves it.
  if (latestEnd === null)
    return endDate > plannedEnd ? "The end has moved, since the highest bid was withdrawn or voided." : null;
  const latest = format(new Date(latestEnd));
  if (endDate >= latestEnd) return `Extended to ${latest}. Nothing extends it any more.`;
  if (endDate > plannedEnd) return `Extended, ends ${format(new Date(endDate))}, at the latest ${latest}.`;
  return "A bid in the last 2 minutes extends it.";
}
