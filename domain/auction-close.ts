import type { AuctionState } from "#domain/auction.ts";
import { hasEnded } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";

/** An auction as its close sees it. */
export type Closable = { state: AuctionState; endDate: Date };
/** A bidder with their highest bid. An account that is gone has no access either. */
export type Candidate = { bidderId: string; amount: Cents; hasAccess: boolean };

/** `notYet`: its time is not over. `closed`: settled already, or taken off sale. */
export type CloseOutcome =
  | { kind: "notYet" }
  | { kind: "closed" }
  | { kind: "sold"; winnerId: string; winningBid: Cents }
  | { kind: "unsold" };

/**
 * Decides what becomes of an auction (docs/product.md, "The end"): it is sold to the highest bidder
 * who has access, for what that one bid. `candidates` are in order, the highest first; `now` is the database's time,
 * read once the product is locked.
 */
export function decideClose(auction: Closable, candidates: readonly Candidate[], now: Date): CloseOutcome {
  if (auction.state !== "open") return { kind: "closed" };
  if (!hasEnded(auction.endDate, now)) return { kind: "notYet" };
  const winner = candidates.find(({ hasAccess }) => hasAccess);
  if (!winner) return { kind: "unsold" };
  return { kind: "sold", winnerId: winner.bidderId, winningBid: winner.amount };
}
