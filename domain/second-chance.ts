import { minIncrement } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";
import type { SaleSide, SaleState } from "#domain/sale.ts";

const hour = 3_600_000;

/** Hours that an offer can run, milliseconds after the close in which one can be made, and most people who get one. */
export const secondChanceRules = { hours: [24, 72], within: 60 * 24 * hour, people: 3 } as const;
export type OfferHours = (typeof secondChanceRules.hours)[number];

export type SecondChanceState = "open" | "accepted" | "declined" | "expired" | "withdrawn";

/** A bidder with their highest public bid. Limits are never read. */
export type RunnerUp = {
  bidderId: string;
  amount: Cents;
  /** Whether their bids count: they neither withdrew them nor lost their account. */
  counts: boolean;
  /** Whether they may buy now: with access, not barred, and without having opted out. */
  isReady: boolean;
};

/** The facts about a sold product that a second chance depends on. */
export type SecondChanceCase = {
  /** The latest sale. */
  sale: { state: SaleState; fault: SaleSide | null };
  closedAt: Date;
  startingBid: Cents;
  /** Buyers through whom a sale of this product fell through. */
  formerBuyers: readonly string[];
  /** People who got an offer for it, and whether one is open. */
  offered: readonly string[];
  hasOpenOffer: boolean;
  /** All bidders, the highest first. */
  runnersUp: readonly RunnerUp[];
};

export type SecondChanceRefusal = "notFellThrough" | "tooLate" | "alreadyOffered" | "enough" | "nobody";
export type SecondChance =
  | { kind: "offer"; bidderId: string; amount: Cents }
  | { kind: "refused"; why: SecondChanceRefusal };

/**
 * Returns the fair price of a second chance: R1 above the highest public bid of the remaining others, at most the
 * bidder's own highest public bid, and the starting bid if nobody else is left.
 */
export const secondChancePrice = (own: Cents, others: readonly Cents[], startingBid: Cents): Cents =>
  others.length === 0 ? startingBid : Math.min(own, Math.max(...others) + minIncrement);

/**
 * Decides who is offered the product next, and for how much. Bids of former buyers, bids of people who have had their
 * offer, and bids that don't count are ignored; all others count for the price.
 */
export function decideSecondChance(product: SecondChanceCase, now: Date): SecondChance {
  const refuse = (why: SecondChanceRefusal): SecondChance => ({ kind: "refused", why });
  if (product.sale.state !== "fellThrough" || product.sale.fault !== "buyer") return refuse("notFellThrough");
  if (now.getTime() >= product.closedAt.getTime() + secondChanceRules.within) return refuse("tooLate");
  if (product.hasOpenOffer) return refuse("alreadyOffered");
  if (new Set(product.offered).size >= secondChanceRules.people) return refuse("enough");
  const gone = new Set([...product.formerBuyers, ...product.offered]);
  const remaining = product.runnersUp.filter(({ bidderId, counts }) => counts && !gone.has(bidderId));
  const next = remaining.find(({ isReady }) => isReady);
  if (!next) return refuse("nobody");
  const others = remaining.filter((each) => each !== next).map(({ amount }) => amount);
  const amount = secondChancePrice(next.amount, others, product.startingBid);
  return { kind: "offer", bidderId: next.bidderId, amount };
}

/** The facts about an offer that its answer depends on. */
export type OpenOffer = { state: SecondChanceState; until: Date };
export type OfferAnswer =
  | { kind: "accepted" }
  | { kind: "declined" }
  | { kind: "refused"; why: "over" | "notReady" };

/** Decides the answer to an offer. A bidder who may no longer buy can still decline. */
export function decideOfferAnswer(
  offer: OpenOffer,
  { accept, isReady, isFree, now }: { accept: boolean; isReady: boolean; isFree: boolean; now: Date },
): OfferAnswer {
  if (offer.state !== "open" || now >= offer.until || !isFree) return { kind: "refused", why: "over" };
  if (!accept) return { kind: "declined" };
  return isReady ? { kind: "accepted" } : { kind: "refused", why: "notReady" };
}

export const secondChanceRefusals: Record<SecondChanceRefusal, string> = {
  notFellThrough: "A second chance is for a sale that fell through by its buyer.",
  tooLate: "The item can be offered for 60 days after its end. That time is over.",
  alreadyOffered: "Somebody has an offer already. Please wait for their answer, or withdraw it.",
  enough: `${secondChanceRules.people} people have had an offer. You can put the item up for sale again.`,
  nobody: "Nobody else who bid can be offered it. You can put the item up for sale again.",
};

export const offerTexts = {
  over: "This offer is over.",
  noneOpen:
    "You have no open offer. An offer ends when it is answered, runs out or is taken back, or when its seller can no longer sell.",
  notReady: "You can't buy at the moment, so the offer can't be accepted.",
} as const;
