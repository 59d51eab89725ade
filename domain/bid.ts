import type { ErrorCode } from "#domain/error-catalogue.ts";
import {
  type Amount,
  amountMessages,
  type Cents,
  formatMoney,
  highestAmount,
  oneRand,
} from "#domain/money.ts";

/** A product as bidding sees it, at one moment. `highestBid` is null while there is none. */
export type Bidding = {
  sellerId: string | null;
  startingBid: Cents;
  endDate: Date;
  /** Still on sale as far as people's decisions go; whether its time is over tells `endDate`. */
  open: boolean;
  highestBid: Cents | null;
  highestBidderId: string | null;
  bidCount: number;
};

/** A bid as it came in. The amount is read, not judged. */
export type BidAttempt = { bidderId: string; amount: Amount };

/** What comes of a bid. The refusals stand in their order (product decisions, "Bid"). */
export type BidOutcome =
  | { kind: "accepted"; cents: Cents }
  | { kind: "ownProduct" }
  | { kind: "ended" }
  | { kind: "notAnAmount"; message: string }
  | { kind: "tooLow"; least: Cents }
  | { kind: "tooHigh" };

/** The least that can be bid: R1 above the highest bid, or the starting bid. */
export const leastBid = ({ highestBid, startingBid }: Pick<Bidding, "highestBid" | "startingBid">): Cents =>
  highestBid === null ? startingBid : highestBid + oneRand;

/** What the product costs at this moment: the highest bid, or the starting bid. */
export const currentPrice = ({
  highestBid,
  startingBid,
}: Pick<Bidding, "highestBid" | "startingBid">): Cents => highestBid ?? startingBid;

/** Nothing is accepted at the end or after it. */
export const hasEnded = (endDate: Date, now: Date): boolean => now.getTime() >= endDate.getTime();

/**
 * Decides a bid (product decisions, "Bid"). `now` is the database's time, read once the product is locked. The leader
 * may raise their own bid.
 */
export function decideBid(bidding: Bidding, { bidderId, amount }: BidAttempt, now: Date): BidOutcome {
  if (bidding.sellerId === bidderId) return { kind: "ownProduct" };
  if (!bidding.open || hasEnded(bidding.endDate, now)) return { kind: "ended" };
  if (amount.kind === "problem" && amount.problem !== "enormous")
    return { kind: "notAnAmount", message: amountMessages[amount.problem] };
  const least = leastBid(bidding);
  if (amount.kind === "amount" && amount.cents < least) return { kind: "tooLow", least };
  if (amount.kind === "problem" || amount.cents > highestAmount) return { kind: "tooHigh" };
  return { kind: "accepted", cents: amount.cents };
}

/** The product after an outcome. */
export function afterBid(bidding: Bidding, bidderId: string, outcome: BidOutcome): Bidding {
  if (outcome.kind !== "accepted") return bidding;
  return {
    ...bidding,
    highestBid: outcome.cents,
    highestBidderId: bidderId,
    bidCount: bidding.bidCount + 1,
  };
}

export type RefusedBid = Exclude<BidOutcome, { kind: "accepted" }>;

/** The code and the words of a refusal (spec 5, "Bid"). */
export function refusedBidWords(outcome: RefusedBid): { code: ErrorCode; message: string } {
  switch (outcome.kind) {
    case "ownProduct":
      return { code: "permission-denied", message: "You cannot bid on your own product." };
    case "ended":
      return { code: "failed-precondition", message: "This auction has ended." };
    case "notAnAmount":
      return { code: "invalid-argument", message: outcome.message };
    case "tooLow":
      return { code: "out-of-range", message: `Your bid must be at least ${formatMoney(outcome.least)}.` };
    case "tooHigh":
      return { code: "out-of-range", message: `Your bid can be at most ${formatMoney(highestAmount)}.` };
  }
}

/** The texts of spec 8 and product decisions around bids. */
export const bidTexts = {
  login: "You must be logged in to place a bid.",
  placed: "Bid placed successfully!",
  failed: "Failed to place bid. Please try again.",
  keyReused: "This bid was sent before with another amount. Please bid again.",
} as const;

/** A name as everyone but the seller and the bidder sees it: T***a (product decisions, "Bidder names"). */
export function maskName(name: string): string {
  const letters = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(name.trim())];
  const [first, last] = [letters.at(0)?.segment ?? "", letters.at(-1)?.segment ?? ""];
  return letters.length < 2 ? `${first}***` : `${first}***${last}`;
}
