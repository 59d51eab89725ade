import type { ProductState } from "#contract/auctions.ts";
import { slipRules } from "#domain/bid-withdrawal.ts";

/**
 * Whether the latest bid of the bidder with this tag, who has bid, may still be withdrawn as a slip; the server knows
 * more. A bid that newer ones have pushed out of the list is at least as old as the oldest one in it.
 */
export function mayBeSlip(
  { bids, endDate }: Pick<ProductState, "bids" | "endDate">,
  tag: string,
  now: number,
) {
  const latest = bids.find((bid) => bid.tag === tag && bid.counts && bid.row === undefined) ?? bids.at(-1);
  return latest !== undefined && now - latest.at < slipRules.within && endDate - now > slipRules.beforeEnd;
}
