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
  /** Whether the product is neither settled nor removed. Its time may be over all the same, by `endDate`. */
  open: boolean;
  highestBid: Cents | null;
  highestBidderId: string | null;
  bidCount: number;
};

/** A product that nobody has bid for. */
export const newBidding = (product: Pick<Bidding, "sellerId" | "startingBid" | "endDate">): Bidding => ({
  ...product,
  open: true,
  highestBid: null,
  highestBidderId: null,
  bidCount: 0,
});

/**
 * A bid as it came in. The amount is read, not judged. `unverifiedLimit`: the most that this bidder can bid before
 * their email address is verified; null once it is.
 */
export type BidAttempt = { bidderId: string; amount: Amount; unverifiedLimit: Cents | null };

/** Outcomes of a bid. The refusals stand in the order in which they are checked (docs/product.md, "Bidding"). */
export type BidOutcome =
  | { kind: "accepted"; cents: Cents }
  | { kind: "ownProduct" }
  | { kind: "ended" }
  | { kind: "notAnAmount"; message: string }
  | { kind: "tooLow"; least: Cents }
  | { kind: "tooHigh" }
  | { kind: "unverified"; limit: Cents };

/** The least by which a bid goes above the highest one. */
export const minIncrement: Cents = oneRand;

/** The least that can be bid: the increment above the highest bid, or the starting bid. */
export const leastBid = ({ highestBid, startingBid }: Pick<Bidding, "highestBid" | "startingBid">): Cents =>
  highestBid === null ? startingBid : highestBid + minIncrement;

/** The most that somebody may bid; `unverifiedLimit` as in `BidAttempt`. */
export const mostBid = (unverifiedLimit: Cents | null): Cents =>
  Math.min(unverifiedLimit ?? highestAmount, highestAmount);

/** Whether an auction is over. A bid at the very end comes too late. */
export const hasEnded = (endDate: Date, now: Date): boolean => now.getTime() >= endDate.getTime();

/**
 * Decides a bid (docs/product.md, "Bidding"). `now` is the database's time, read once the product is locked. The leader
 * may raise their own bid.
 */
export function decideBid(bidding: Bidding, attempt: BidAttempt, now: Date): BidOutcome {
  const { bidderId, amount, unverifiedLimit } = attempt;
  if (bidding.sellerId === bidderId) return { kind: "ownProduct" };
  if (!bidding.open || hasEnded(bidding.endDate, now)) return { kind: "ended" };
  return decideAmount(leastBid(bidding), amount, unverifiedLimit);
}

/** Decides by the amount alone. The form calls this before it sends. */
export function decideAmount(least: Cents, amount: Amount, unverifiedLimit: Cents | null): BidOutcome {
  if (amount.kind === "problem" && amount.problem !== "enormous")
    return { kind: "notAnAmount", message: amountMessages[amount.problem] };
  if (amount.kind === "amount" && amount.cents < least) return { kind: "tooLow", least };
  if (amount.kind === "problem" || amount.cents > highestAmount) return { kind: "tooHigh" };
  if (unverifiedLimit !== null && amount.cents > unverifiedLimit)
    return { kind: "unverified", limit: unverifiedLimit };
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

/** The code and the words of a refusal. */
export function refusedBidWords(outcome: RefusedBid): { code: ErrorCode; message: string } {
  switch (outcome.kind) {
    case "ownProduct":
      return { code: "permission-denied", message: "You can't bid on your own product." };
    case "ended":
      return { code: "failed-precondition", message: "This auction has ended." };
    case "notAnAmount":
      return { code: "invalid-argument", message: outcome.message };
    case "tooLow":
      return { code: "out-of-range", message: `Your bid must be at least ${formatMoney(outcome.least)}.` };
    case "tooHigh":
      return { code: "out-of-range", message: `Your bid can be at most ${formatMoney(highestAmount)}.` };
    case "unverified":
      return {
        code: "account/unverified",
        message: `Until you verify your email address, you can bid up to ${formatMoney(outcome.limit)}. Please open the link we emailed you, or ask for a new one.`,
      };
  }
}

const farAbove = { times: 10, by: 1_000 * oneRand } as const;

/** Whether an amount is so far above the price that it may be a slip: the bidder is asked once more. */
export const isFarAbove = (price: Cents, amount: Cents): boolean =>
  amount >= price * farAbove.times && amount - price >= farAbove.by;

export const bidTexts = {
  login: "You must be logged in to place a bid.",
  noHigher: "No higher bid is possible.",
  placed: "Bid placed successfully!",
  failed: "Failed to place bid. Please try again.",
  keyReused: "This bid was already sent with a different amount. Please bid again.",
} as const;

/** A name as everyone but the seller and the bidder sees it: T***a (docs/product.md, "Names"). */
export function maskName(name: string): string {
  const letters = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(name.trim())];
  const [first, last] = [letters.at(0)?.segment ?? "", letters.at(-1)?.segment ?? ""];
  return letters.length < 2 ? `${first}***` : `${first}***${last}`;
}
