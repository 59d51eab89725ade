import { type AuctionState, auctionLimits } from "#domain/auction.ts";
import type { Problem } from "#domain/error-catalogue.ts";

/** The facts about an auction that its removal depends on. */
export type RemovalFacts = { state: AuctionState; endDate: Date; bidCount: number };
/** The caller: whether they may remove any product, and whether this one is theirs. */
export type Remover = { isAdmin: boolean; isSeller: boolean };

/**
 * `notFound`: the product is removed already, or the caller is neither its seller nor an admin. `lastHours`: only an
 * admin may still remove it.
 */
export type RemovalOutcome =
  | { kind: "removed"; by: "seller" | "admin" }
  | { kind: "notFound" }
  | { kind: "lastHours" }
  | { kind: "sold" };

/** Whether a product's bids hold its seller to the sale: in the last 12 hours. */
export const holdsSeller = ({ endDate, bidCount }: Omit<RemovalFacts, "state">, now: Date): boolean =>
  bidCount > 0 && endDate.getTime() - now.getTime() < auctionLimits.lastHours;

/**
 * Decides whether a product may be taken off sale (docs/product.md, "Taking an item off sale"). A seller may remove
 * their own without a reason; an admin may remove any, with a reason.
 */
export function decideRemoval(
  auction: RemovalFacts,
  { isAdmin, isSeller }: Remover,
  now: Date,
): RemovalOutcome {
  if (auction.state === "removed" || !(isAdmin || isSeller)) return { kind: "notFound" };
  if (auction.state === "sold") return isAdmin ? { kind: "removed", by: "admin" } : { kind: "sold" };
  if (isSeller && auction.state === "unsold") return { kind: "removed", by: "seller" };
  if (isSeller && !holdsSeller(auction, now)) return { kind: "removed", by: "seller" };
  return isAdmin ? { kind: "removed", by: "admin" } : { kind: "lastHours" };
}

/** Messages for sellers who may not remove their product. */
export const removalMessages: Record<"lastHours" | "sold", string> = {
  lastHours:
    "This product has bids and ends in less than 12 hours. Please contact support if it has to be taken off sale.",
  sold: "This product has been sold and can't be deleted.",
};

/** Returns what is wrong with an admin's reason, or null. The seller and the bidders read the reason. */
export function removalReasonProblem(reason: string): Problem<"reason"> | null {
  const wrong = (message: string) => ({ code: "form/incomplete", message, field: "reason" }) as const;
  if (reason.trim() === "") return wrong("Please give a reason.");
  return reason.trim().length > auctionLimits.reason
    ? wrong(`The reason must be at most ${auctionLimits.reason} characters long.`)
    : null;
}
