import type { ProductState } from "#contract/auctions.ts";

/** Says what has moved or may move the end; null for a fixed end that hasn't moved. `format` includes the seconds. */
export function movedEndText(
  { endDate, plannedEnd, latestEnd }: Pick<ProductState, "endDate" | "plannedEnd" | "latestEnd">,
  format: (time: Date) => string,
): string | null {
  // Late bids don't move a fixed end: only the withdrawal or voiding of the leader's bids does.
  if (latestEnd === null)
    return endDate > plannedEnd ? "The end has moved, since the highest bid was withdrawn or voided." : null;
  const latest = format(new Date(latestEnd));
  if (endDate >= latestEnd) return `Extended to ${latest}. Nothing extends it any more.`;
  if (endDate > plannedEnd) return `Extended, ends ${format(new Date(endDate))}, at the latest ${latest}.`;
  return "A bid in the last 2 minutes extends it.";
}
