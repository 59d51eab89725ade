import { auctionLimits } from "#domain/auction.ts";
import { hasEnded } from "#domain/auction-end.ts";
import { type Bidding, type BidForm, decideBid, leastBid, newBidding, type PublicBid } from "#domain/bid.ts";
import { formatLongDate } from "#domain/date-format.ts";
import { type Cents, formatMoney } from "#domain/money.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** When bidders may withdraw a bid: only after an obvious slip, or at any time before the end. */
export const withdrawalModes = ["mistake", "law"] as const;
export type WithdrawalMode = (typeof withdrawalModes)[number];
/** How bids were withdrawn. `admin`: an administrator voided them. */
export type WithdrawalForm = "slip" | "law" | "admin";

/** An accepted bid as its bidder entered it. */
export type AcceptedAttempt = { bidderId: string; form: BidForm; amount: Cents; at: Date };

/** An auction as it would be without one bidder's bids. */
export type Replay = {
  bidding: Bidding;
  /** Each bidder's highest public bid. */
  amounts: ReadonlyMap<string, Cents>;
  /** The price that each bidder's last attempt met, and the most that they had agreed to before. */
  met: ReadonlyMap<string, { price: Cents; bound: Cents | null }>;
};

/** Decides accepted attempts again, in their order. Skips those that aren't valid without the removed ones. */
export function replay(
  product: Pick<Bidding, "sellerId" | "startingBid">,
  attempts: readonly AcceptedAttempt[],
): Replay {
  // An endless auction, so that no attempt is late and none moves the end.
  const noEnd = new Date(8_640_000_000_000_000);
  let bidding = newBidding({ ...product, endDate: noEnd, latestEnd: null });
  const amounts = new Map<string, Cents>();
  const met = new Map<string, { price: Cents; bound: Cents | null }>();
  for (const { bidderId, form, amount: cents, at } of attempts) {
    const bound = bidding.highestBidderId === bidderId ? bidding.leaderLimit : amounts.get(bidderId);
    met.set(bidderId, { price: bidding.highestBid ?? bidding.startingBid, bound: bound ?? null });
    const amount = { kind: "amount", cents } as const;
    const outcome = decideBid(bidding, { bidderId, form, amount, unverifiedLimit: null }, at);
    if (outcome.kind !== "accepted") continue;
    for (const bid of outcome.bids) amounts.set(bid.bidderId, bid.amount);
    ({ bidding } = outcome);
  }
  return { bidding, amounts, met };
}

/** A slip is `times` the price or more, and withdrawn `within` milliseconds, `beforeEnd` or more before the end. */
export const slipRules = { times: 5, within: hour, beforeEnd: auctionLimits.lastHours } as const;
/** `most` withdrawals within `withinDays` days bar further ones for `barDays` days. */
const withdrawalRules = { most: 3, withinDays: 183, barDays: 365 } as const;

/** Returns the time until which a bidder may not withdraw again, or null if they never withdrew too often. */
export function noWithdrawalUntil(withdrawals: readonly Date[]): Date | null {
  const times = withdrawals.map((each) => each.getTime()).toSorted((one, other) => one - other);
  const third = times.findLast((time, index) => {
    const first = times[index - (withdrawalRules.most - 1)];
    return first !== undefined && time - first <= withdrawalRules.withinDays * day;
  });
  return third === undefined ? null : new Date(third + withdrawalRules.barDays * day);
}

/** A bidder's request to withdraw their bids, with the amount they would bid instead. */
export type WithdrawalRequest = {
  mode: WithdrawalMode;
  bidding: Pick<Bidding, "open" | "endDate" | "startingBid">;
  /** Their latest attempt with the price it met, and the most they had agreed to before; null if no bid counts. */
  own: { amount: Cents; at: Date; met: Cents; before: Cents | null } | null;
  /** The intended amount; null if none was entered. */
  instead: Cents | null;
  /** The times of their withdrawals on all products. */
  withdrawals: readonly Date[];
};

export type WithdrawalRefusal =
  | { kind: "noBid" }
  | { kind: "ended" }
  | { kind: "tooMany"; until: Date }
  | { kind: "tooLongAgo" }
  | { kind: "tooLate" }
  | { kind: "noSlip" }
  | { kind: "insteadMissing" }
  | { kind: "insteadTooLow"; least: Cents }
  | { kind: "insteadTooHigh" };
export type WithdrawalOutcome = { kind: "withdrawn"; form: "slip" | "law" } | WithdrawalRefusal;

/** Decides whether a bidder may withdraw their bids. `now` is the database's time under the lock of the bidding. */
export function decideWithdrawal(request: WithdrawalRequest, now: Date): WithdrawalOutcome {
  const { mode, bidding, own, withdrawals } = request;
  if (!bidding.open || hasEnded(bidding.endDate, now)) return { kind: "ended" };
  if (!own) return { kind: "noBid" };
  const until = noWithdrawalUntil(withdrawals);
  if (until && now < until) return { kind: "tooMany", until };
  return mode === "law" ? { kind: "withdrawn", form: "law" } : decideSlip({ ...request, own }, now);
}

function decideSlip(
  { bidding, own, instead }: WithdrawalRequest & { own: NonNullable<WithdrawalRequest["own"]> },
  now: Date,
): WithdrawalOutcome {
  if (now.getTime() - own.at.getTime() > slipRules.within) return { kind: "tooLongAgo" };
  if (bidding.endDate.getTime() - now.getTime() <= slipRules.beforeEnd) return { kind: "tooLate" };
  if (own.amount < own.met * slipRules.times) return { kind: "noSlip" };
  if (instead === null) return { kind: "insteadMissing" };
  // Bids from before the slip still bind them.
  const least = Math.max(own.before ?? 0, bidding.startingBid);
  if (instead < least) return { kind: "insteadTooLow", least };
  if (instead >= own.amount) return { kind: "insteadTooHigh" };
  return { kind: "withdrawn", form: "slip" };
}

/** Returns the message of a refused withdrawal. */
export function withdrawalRefusalText(refusal: WithdrawalRefusal): string {
  switch (refusal.kind) {
    case "noBid":
      return "You have no bid on this item.";
    case "ended":
      return "This auction has ended.";
    case "tooMany":
      return `You have withdrawn bids ${withdrawalRules.most} times within 6 months, so you can't until ${formatLongDate(refusal.until)}.`;
    case "tooLongAgo":
      return "A bid can be withdrawn within an hour. That time is over.";
    case "tooLate":
      return "In the last 12 hours of an auction no bid can be withdrawn.";
    case "noSlip":
      return `Only a slip can be withdrawn: a bid of at least ${slipRules.times} times the price at that moment.`;
    case "insteadMissing":
      return "Please enter what you meant to bid.";
    case "insteadTooLow":
      return `Please enter at least ${formatMoney(refusal.least)}.`;
    case "insteadTooHigh":
      return "Please enter less than the bid that you withdraw.";
  }
}

/** A bidding after a withdrawal. `bids` has the row for its history, then the bid that is made instead. */
export type WithdrawalEffect = { bids: readonly PublicBid[]; bidding: Bidding; movesEnd: boolean };

/** Milliseconds that others get if the leader withdraws shortly before the end, and that late bids may add to them. */
const timeForOthers = { left: 12 * hour, softClose: hour } as const;

type LeavingBids = {
  bidding: Bidding;
  bidderId: string;
  kind: "withdrawn" | "voided";
  /** The auction without these bids. */
  rest: Pick<Replay, "bidding">;
  /** The amount that is bid instead; null for none. */
  instead: Cents | null;
  /** Whether an earlier withdrawal moved the end. */
  hasMovedEnd: boolean;
};

/**
 * Removes a bidder's bids from an auction. If the leader withdraws in the last 12 hours, the end moves to 12 hours from
 * now, but only once. Otherwise a high bid could shield a friend's low one until nobody has time to answer.
 */
export function withdraw(
  { bidding, bidderId, kind, rest: { bidding: rest }, instead, hasMovedEnd }: LeavingBids,
  now: Date,
): WithdrawalEffect {
  const isLate = bidding.endDate.getTime() - now.getTime() < timeForOthers.left;
  const movesEnd = isLate && !hasMovedEnd && bidding.highestBidderId === bidderId;
  const endDate = movesEnd ? new Date(now.getTime() + timeForOthers.left) : bidding.endDate;
  const latestEnd =
    movesEnd && bidding.latestEnd ? new Date(endDate.getTime() + timeForOthers.softClose) : bidding.latestEnd;
  const row: PublicBid = { bidderId, amount: rest.highestBid ?? 0, kind };
  const after: Bidding = {
    ...bidding,
    endDate,
    latestEnd,
    highestBid: rest.highestBid,
    highestBidderId: rest.highestBidderId,
    leaderLimit: rest.leaderLimit,
    bidCount: bidding.bidCount + 1,
  };
  if (instead === null || instead < leastBid(after)) return { bids: [row], bidding: after, movesEnd };
  const amount = { kind: "amount", cents: instead } as const;
  const outcome = decideBid(after, { bidderId, form: "exact", amount, unverifiedLimit: null }, now);
  if (outcome.kind !== "accepted") return { bids: [row], bidding: after, movesEnd };
  return { bids: [row, ...outcome.bids], bidding: outcome.bidding, movesEnd };
}
