import { type AccountStatus, isBound } from "#domain/account.ts";
import type { AuctionState } from "#domain/auction.ts";
import { hasEnded } from "#domain/auction-end.ts";
import type { Cents } from "#domain/money.ts";

/** The facts about an auction that its close depends on. */
export type ClosingFacts = { state: AuctionState; endDate: Date };
/** A bidder with their highest bid. `isBound`: their account's bids are still binding. */
export type Candidate = { bidderId: string; amount: Cents; isBound: boolean };

/** `notYet`: the auction's time is not over. `closed`: settled already, or taken off sale. */
export type CloseOutcome =
  | { kind: "notYet" }
  | { kind: "closed" }
  | { kind: "sold"; winnerId: string; winningBid: Cents }
  | { kind: "unsold" };

/**
 * Decides the outcome of an auction (docs/product.md, "The end"): it is sold to the highest bidder whose bids count,
 * for that one bid. `candidates` are in order, the highest first; `now` is the database's time, read once the product
 * is locked. Bids that move the end are decided by `decideBid` in `bid.ts`.
 */
export function decideClose(
  auction: ClosingFacts,
  candidates: readonly Candidate[],
  now: Date,
): CloseOutcome {
  if (auction.state !== "open") return { kind: "closed" };
  if (!hasEnded(auction.endDate, now)) return { kind: "notYet" };
  const winner = candidates.find((each) => each.isBound);
  if (!winner) return { kind: "unsold" };
  return { kind: "sold", winnerId: winner.bidderId, winningBid: winner.amount };
}

/** `bidder` is null once the account is deleted. */
type ShownBid = { amount: Cents; bidder: AccountStatus | null };

/**
 * Whether a bid counts. Until the close it counts if its bidder's account is bound by it; after that, if it isn't above
 * the price of the sale.
 */
export function bidCounts(
  { state, winningBid }: { state: AuctionState; winningBid: Cents | null },
  { amount, bidder }: ShownBid,
): boolean {
  if (state === "open") return bidder !== null && isBound(bidder);
  return winningBid !== null && amount <= winningBid;
}
