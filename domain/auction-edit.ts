import { type AuctionState, auctionLimits } from "#domain/auction.ts";
import { hasEnded } from "#domain/auction-end.ts";
import type { Problem } from "#domain/error-catalogue.ts";

/** The facts about an auction that a seller's changes depend on, read under its lock. */
export type EditFacts = { state: AuctionState; endDate: Date; bidCount: number };

/** `notFound`: it is removed, or the caller isn't its seller. */
export type EditOutcome = { kind: "allowed" } | { kind: "notFound" | "ended" | "hasBids" };

/** Decides whether a seller may change their item (docs/product.md, "Changing an item"): until the first bid. */
export function decideEdit(auction: EditFacts, isSeller: boolean, now: Date): EditOutcome {
  if (auction.state === "removed" || !isSeller) return { kind: "notFound" };
  if (auction.state !== "open" || hasEnded(auction.endDate, now)) return { kind: "ended" };
  return { kind: auction.bidCount > 0 ? "hasBids" : "allowed" };
}

/** Longest addition in characters, and the most that one product can have. */
export const additionLimits = { text: 1000, additions: 10 } as const;

export type AdditionOutcome = { kind: "allowed" } | { kind: "notFound" | "ended" | "lastHours" | "tooMany" };

/** Decides whether a seller may add to a description: until 12 hours before the end, and not too often. */
export function decideAddition(
  auction: EditFacts & { additions: number },
  isSeller: boolean,
  now: Date,
): AdditionOutcome {
  if (auction.state === "removed" || !isSeller) return { kind: "notFound" };
  if (auction.state !== "open" || hasEnded(auction.endDate, now)) return { kind: "ended" };
  if (auction.endDate.getTime() - now.getTime() < auctionLimits.lastHours) return { kind: "lastHours" };
  return { kind: auction.additions >= additionLimits.additions ? "tooMany" : "allowed" };
}

/** Messages for sellers who may not change their product. */
export const editMessages: Record<"ended" | "hasBids" | "lastHours" | "tooMany", string> = {
  ended: "This auction has ended, so its item can't be changed.",
  hasBids: "This item has bids, so it can't be changed any more. Please add to its description instead.",
  lastHours: "This item ends in less than 12 hours, so nothing can be added to its description.",
  tooMany: `You've added to this description ${additionLimits.additions} times, which is the most.`,
};

/** Returns what is wrong with an addition, or null. */
export function additionProblem(text: string): Problem<"text"> | null {
  const wrong = (message: string) => ({ code: "form/incomplete", message, field: "text" }) as const;
  if (text.trim() === "") return wrong("Please write what you'd like to add.");
  return text.trim().length > additionLimits.text
    ? wrong(`What you add must be at most ${additionLimits.text} characters long.`)
    : null;
}

export const editTexts = {
  saved: "Your changes are saved.",
  added: "Added to the description.",
} as const;
