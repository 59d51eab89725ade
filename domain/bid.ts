import { endAfterBid, hasEnded } from "#domain/auction-end.ts";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import {
  type Amount,
  amountMessages,
  type Cents,
  centsPerRand,
  formatMoney,
  highestAmount,
} from "#domain/money.ts";

/**
 * How a bidder means an amount: `exact` bids that amount; `upTo` bids the least that leads and keeps outbidding rivals
 * up to that amount, the bidder's limit.
 */
export const bidForms = ["exact", "upTo"] as const;
export type BidForm = (typeof bidForms)[number];

/** The bidding on a product at one moment. `highestBid` is null without bids. */
export type Bidding = {
  sellerId: string | null;
  startingBid: Cents;
  endDate: Date;
  /** The latest moment to which late bids move the end; null for an auction whose end is fixed. */
  latestEnd: Date | null;
  /** Whether the product is neither settled nor removed. Its `endDate` may have passed. */
  open: boolean;
  highestBid: Cents | null;
  highestBidderId: string | null;
  /** The most that the leader has agreed to pay, at least `highestBid`. Only its owner may learn it. */
  leaderLimit: Cents | null;
  bidCount: number;
};

/** Whether the seller has changed a product since a bidder saw it. A bid without terms accepts the current ones. */
export const isOutdated = (bidTerms: number | undefined, terms: number): boolean =>
  bidTerms !== undefined && bidTerms !== terms;

/** Returns the bidding on a product without bids. */
export const newBidding = (
  product: Pick<Bidding, "sellerId" | "startingBid" | "endDate" | "latestEnd">,
): Bidding => ({
  ...product,
  open: true,
  highestBid: null,
  highestBidderId: null,
  leaderLimit: null,
  bidCount: 0,
});

/**
 * A bid as it was received. The amount is parsed but not checked. `unverifiedLimit`: the most that this bidder can bid
 * before their email address is verified; null once it is.
 */
export type BidAttempt = {
  bidderId: string;
  form: BidForm;
  amount: Amount;
  unverifiedLimit: Cents | null;
};

/**
 * Rows of the public history. A bidder entered the amount (`bid`), or a limit led to it (`auto`). With `withdrawn` and
 * `voided`, the bidder's earlier bids no longer count, and the amount is the price since: 0 if nobody leads.
 */
export type BidKind = "bid" | "auto" | "withdrawn" | "voided";
export type PublicBid = { bidderId: string; amount: Cents; kind: BidKind };

/**
 * Outcomes of a bid. Refusals are listed in the order in which they are checked (docs/product.md, "Bidding"). An
 * accepted bid adds up to two public bids, and none when the leader moves their own limit.
 */
export type BidOutcome = { kind: "accepted"; bids: readonly PublicBid[]; bidding: Bidding } | RefusedBid;
export type RefusedBid =
  | { kind: "ownProduct" }
  | { kind: "ended" }
  | { kind: "notAnAmount"; message: string }
  | { kind: "tooLow"; least: Cents }
  | { kind: "tooHigh" }
  | { kind: "unverified"; limit: Cents }
  /** The seller has changed the product since the bidder saw it. */
  | { kind: "changed" };

/** The least amount by which a bid must exceed the highest one. */
export const minIncrement: Cents = centsPerRand;

/** Returns the least that can be bid: the increment above the highest bid, or the starting bid. */
export const leastBid = ({ highestBid, startingBid }: Pick<Bidding, "highestBid" | "startingBid">): Cents =>
  highestBid === null ? startingBid : highestBid + minIncrement;

/** Returns the least that one bidder can bid. The leader's limit may be as low as the price, which ends its bidding. */
export function leastAmount(
  bidding: Pick<Bidding, "highestBid" | "startingBid">,
  { form, isLeader }: { form: BidForm; isLeader: boolean },
): Cents {
  const { highestBid } = bidding;
  return form === "upTo" && isLeader && highestBid !== null ? highestBid : leastBid(bidding);
}

/** Whether an attempt only lowers or repeats the leader's own limit, which commits nobody to anything new. */
export const lowersOwnLimit = (
  { highestBid, highestBidderId, leaderLimit }: Bidding,
  { bidderId, form, amount }: Pick<BidAttempt, "bidderId" | "form" | "amount">,
): boolean =>
  form === "upTo" &&
  highestBidderId === bidderId &&
  amount.kind === "amount" &&
  amount.cents <= (leaderLimit ?? highestBid ?? 0);

/** Returns the most that a bidder may bid; `unverifiedLimit` as in `BidAttempt`. */
export const mostBid = (unverifiedLimit: Cents | null): Cents =>
  Math.min(unverifiedLimit ?? highestAmount, highestAmount);

/**
 * Decides a bid (docs/product.md, "Bidding"). `now` is the database's time, read once the product is locked. The leader
 * may raise their own bid, and move their own limit down to the price.
 */
export function decideBid(bidding: Bidding, attempt: BidAttempt, now: Date): BidOutcome {
  const { bidderId, form, amount, unverifiedLimit } = attempt;
  if (bidding.sellerId === bidderId) return { kind: "ownProduct" };
  if (!bidding.open || hasEnded(bidding.endDate, now)) return { kind: "ended" };
  const isLeader = bidding.highestBidderId === bidderId;
  const maximum = checkAmount(leastAmount(bidding, { form, isLeader }), amount, unverifiedLimit);
  if (typeof maximum !== "number") return maximum;
  const bids = isLeader ? ownBids(attempt, maximum) : rivalBids(bidding, attempt, maximum);
  const last = bids.at(-1);
  return {
    kind: "accepted",
    bids,
    bidding: {
      ...bidding,
      endDate: isLeader ? bidding.endDate : endAfterBid(bidding, now),
      highestBid: last?.amount ?? bidding.highestBid,
      highestBidderId: last?.bidderId ?? bidding.highestBidderId,
      leaderLimit: limitAfter(bidding, attempt, maximum, last),
      bidCount: bidding.bidCount + bids.length,
    },
  };
}

/** Returns the public bids of a leader: their raised bid, but nothing for a limit, since only rivals move the price. */
const ownBids = ({ bidderId, form }: BidAttempt, amount: Cents): PublicBid[] =>
  form === "exact" ? [{ bidderId, amount, kind: "bid" }] : [];

/**
 * Returns the public bids that a rival's bid leads to. Every limit but the leader's is used up, so only the leader's
 * counts. The leader wins a tie.
 */
function rivalBids(
  { startingBid, highestBid, highestBidderId, leaderLimit }: Bidding,
  { bidderId, form }: BidAttempt,
  amount: Cents,
): PublicBid[] {
  const kind = form === "exact" ? "bid" : "auto";
  if (highestBid === null || highestBidderId === null)
    return [{ bidderId, amount: form === "exact" ? amount : startingBid, kind }];
  const limit = leaderLimit ?? highestBid;
  if (amount <= limit)
    return [
      { bidderId, amount, kind },
      { bidderId: highestBidderId, amount: Math.min(limit, amount + minIncrement), kind: "auto" },
    ];
  const usedUp: PublicBid[] =
    limit > highestBid ? [{ bidderId: highestBidderId, amount: limit, kind: "auto" }] : [];
  return [
    ...usedUp,
    { bidderId, amount: form === "exact" ? amount : Math.min(amount, limit + minIncrement), kind },
  ];
}

/** Returns the leader's limit after an accepted bid, whose last public bid is the new leader's. */
function limitAfter(
  { highestBidderId, leaderLimit }: Bidding,
  { bidderId, form }: BidAttempt,
  amount: Cents,
  last: PublicBid | undefined,
): Cents | null {
  const leaderId = last?.bidderId ?? highestBidderId;
  if (leaderId !== bidderId) return leaderLimit;
  const isRaise = highestBidderId === bidderId && form === "exact";
  return isRaise ? Math.max(leaderLimit ?? 0, amount) : amount;
}

/** Checks an amount, and returns it in cents if it is valid. The form calls this before it sends a bid. */
export function checkAmount(least: Cents, amount: Amount, unverifiedLimit: Cents | null): Cents | RefusedBid {
  if (amount.kind === "problem" && amount.problem !== "enormous")
    return { kind: "notAnAmount", message: amountMessages[amount.problem] };
  // Above the highest amount there is no least bid that could be stated.
  if (amount.kind === "amount" && amount.cents < least)
    return least > highestAmount ? { kind: "tooHigh" } : { kind: "tooLow", least };
  if (amount.kind === "problem" || amount.cents > highestAmount) return { kind: "tooHigh" };
  if (unverifiedLimit !== null && amount.cents > unverifiedLimit)
    return { kind: "unverified", limit: unverifiedLimit };
  return amount.cents;
}

/** Returns the error code and the message of a refusal. */
export function bidRefusal(outcome: RefusedBid): { code: ErrorCode; message: string } {
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
    case "changed":
      return { code: "failed-precondition", message: bidTexts.changed };
    case "unverified":
      return {
        code: "account/unverified",
        message: `Until you verify your email address, you can bid up to ${formatMoney(outcome.limit)}. Please open the link we emailed you, or ask for a new one.`,
      };
  }
}

const farAbove = { times: 10, by: 1_000 * centsPerRand } as const;

/** Whether an amount is so far above the price that it may be a slip, so that the bidder has to confirm it. */
export const isFarAbove = (price: Cents, amount: Cents): boolean =>
  amount >= price * farAbove.times && amount - price >= farAbove.by;

export const bidTexts = {
  login: "You must be logged in to place a bid.",
  noHigher: "No higher bid is possible.",
  placed: "Bid placed successfully!",
  /** Shown for an accepted bid that the leader's limit outbids immediately. */
  beaten: (least: Cents) =>
    least > highestAmount
      ? "Your bid was placed, but another bidder's automatic bid is higher."
      : `Your bid was placed, but another bidder's automatic bid is higher. It now takes ${formatMoney(least)}.`,
  /** Shown for a bid whose response got lost and that the server never received. */
  notReceived: (form: BidForm, amount: Cents) =>
    `Your bid of ${form === "upTo" ? "up to " : ""}${formatMoney(amount)} didn't reach us, so it wasn't placed.`,
  failed: "Failed to place bid. Please try again.",
  changed: "The seller has changed this item. Please look at it again before you bid.",
  keyReused: "This bid was already sent with a different amount. Please bid again.",
} as const;

/** Masks a name for everyone but the seller and the bidder: T***a (docs/product.md, "Names"). */
export function maskName(name: string): string {
  const letters = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(name.trim())];
  const [first, last] = [letters.at(0)?.segment ?? "", letters.at(-1)?.segment ?? ""];
  return letters.length < 2 ? `${first}***` : `${first}***${last}`;
}
