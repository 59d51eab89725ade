import type { BidForm } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";
import { grouped } from "./grouped.ts";
import type { Lot, Operation, RecordedBid, RecordedLimit, RecordedRemoval, Voiding } from "./operation.ts";
import { removalKey, removingCalls, timedRemoval } from "./removals.ts";
import { type Moment, replay } from "./replay.ts";

/** Everything that was sent, and everything that is stored. */
export type History = {
  operations: readonly Operation[];
  bids: readonly RecordedBid[];
  limits: readonly RecordedLimit[];
  removals?: readonly RecordedRemoval[];
  voidings?: readonly Voiding[];
  lots: readonly Lot[];
};

/** An accepted bid as stored. `isPublic`: whether it led to a public bid under its key. */
export type StoredAttempt = {
  productId: string;
  bidderId: string;
  key: string;
  form: BidForm;
  amount: Cents;
  number: number;
  at: number;
  isPublic: boolean;
};
/** The time of a call: from its first sending to its first acknowledgement. */
export type CallTime = { begun: number; done: number };
export type TimedAttempt = StoredAttempt & CallTime;
export type TimedRemoval = RecordedRemoval & CallTime;
/** A public bid with the time of the attempt that led to it, and the auction's end when it was made. */
export type TimedBid = RecordedBid & CallTime & { endBefore: number };

/**
 * One lot's part of a history: its public bids by number, its attempts in their order, and the state after each
 * attempt. `end` is the extended end. `mismatch` describes the first row that does not follow from the attempts before
 * it.
 */
export type LotHistory = {
  lot: Lot;
  end: number;
  bids: readonly TimedBid[];
  attempts: readonly TimedAttempt[];
  removals: readonly TimedRemoval[];
  moments: readonly Moment[];
  mismatch: string | null;
  operations: readonly Operation[];
};

type BidKey = { bidderId: string; key: string };
/** Identifies a bid: calls with the same bidder and key are one bid. */
export const bidKey = ({ bidderId, key }: BidKey): string => `${bidderId} ${key}`;

/** Returns the stored attempts in no particular order. */
export function attemptsIn({ bids, limits }: Pick<History, "bids" | "limits">): StoredAttempt[] {
  const limited = new Set(limits.map(bidKey));
  const keyed = bids.flatMap(({ key, ...bid }) => (key === null ? [] : { ...bid, key }));
  const withRows = new Set(keyed.map(bidKey));
  return [
    ...keyed
      .filter((bid) => !limited.has(bidKey(bid)))
      .map((bid) => ({ ...bid, form: "exact" as const, isPublic: true })),
    ...limits.map((limit) => ({ ...limit, form: "upTo" as const, isPublic: withRows.has(bidKey(limit)) })),
  ];
}

/** Adds the time of an attempt. An unacknowledged bid has no end: it may count for anything after its beginning. */
function timed(attempt: StoredAttempt, all: readonly Operation[]): TimedAttempt {
  const calls = all.filter(
    ({ productId, amount, form }) =>
      productId === attempt.productId && amount === attempt.amount && form === attempt.form,
  );
  const acknowledged = calls.filter(({ answer }) => answer.kind === "accepted");
  return {
    ...attempt,
    begun: Math.min(...calls.map(({ sentAt }) => sentAt)),
    done: Math.min(...acknowledged.map(({ answeredAt }) => answeredAt)),
  };
}

/** Orders attempts. A limit that its owner moved follows the latest public bid, whose number it has. */
const inOrder = (one: TimedAttempt, other: TimedAttempt): number =>
  one.number - other.number ||
  Number(other.isPublic) - Number(one.isPublic) ||
  one.at - other.at ||
  one.begun - other.begun;

/** The time of a public bid that follows from no attempt: unknown. */
const anyTime = { begun: Number.NEGATIVE_INFINITY, done: Number.POSITIVE_INFINITY };

export function sortedOut(history: History): LotHistory[] {
  const { operations, bids, lots, removals = [] } = history;
  const byKey = grouped(operations, bidKey);
  const byLot = grouped(operations, ({ productId }) => productId);
  const bidsOf = grouped(bids, ({ productId }) => productId);
  const attemptsOf = grouped(attemptsIn(history), ({ productId }) => productId);
  const callsThatRemoved = removingCalls(history);
  const removalsOf = grouped(removals, ({ productId }) => productId);
  return lots.map((lot) => {
    const attempts = (attemptsOf.get(lot.id) ?? [])
      .map((attempt) => timed(attempt, byKey.get(bidKey(attempt)) ?? []))
      .toSorted(inOrder);
    const bids = (bidsOf.get(lot.id) ?? []).toSorted((one, other) => one.number - other.number);
    const ownRemovals = (removalsOf.get(lot.id) ?? [])
      .map((removal) => timedRemoval(removal, callsThatRemoved.get(removalKey(removal)) ?? []))
      .toSorted((one, other) => one.number - other.number);
    const { moments, end, mismatch } = replay(lot, { attempts, removals: ownRemovals }, bids);
    const times = new Map(
      moments.flatMap(({ begun, done, from, to, endBefore }) =>
        Array.from({ length: to - from + 1 }, (_, at) => [from + at, { begun, done, endBefore }] as const),
      ),
    );
    return {
      lot,
      end,
      attempts,
      removals: ownRemovals,
      moments,
      mismatch,
      bids: bids.map((bid) => ({ ...bid, ...(times.get(bid.number) ?? { ...anyTime, endBefore: end }) })),
      operations: byLot.get(lot.id) ?? [],
    };
  });
}
