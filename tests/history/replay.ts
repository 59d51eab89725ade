import { type Bidding, decideBid, newBidding, type PublicBid } from "#domain/bid.ts";
import { decideWithdrawal, replay as replayByRules, withdraw } from "#domain/bid-withdrawal.ts";
import type { Cents } from "#domain/money.ts";
import type { CallTime, TimedAttempt, TimedRemoval } from "./history.ts";
import type { Lot, RecordedBid } from "./operation.ts";

/**
 * The state of a lot after an attempt or a removal, which led to the rows `from` up to `to`; a limit that its owner
 * moved led to none, and `to` is the latest row. `endBefore` is the auction's end before it.
 */
export type Moment = CallTime & {
  from: number;
  to: number;
  price: Cents | null;
  leaderId: string | null;
  endBefore: number;
};

/** The result of a replay; `end` is the end after all attempts, in milliseconds since 1970. */
type Replay = { moments: Moment[]; end: number; mismatch: string | null };
/** The acts on a lot, each kind in its order. */
type Acts = { attempts: readonly TimedAttempt[]; removals: readonly TimedRemoval[] };

const dated = <Act extends { at: number }>(act: Act) => ({ ...act, at: new Date(act.at) });

/** A lot that is replayed by the rules and compared with the stored rows. */
class ReplayedLot {
  readonly moments: Moment[] = [];
  readonly #lot: Lot;
  readonly #bids: readonly RecordedBid[];
  /** The attempts that count. */
  #standing: TimedAttempt[] = [];
  #hasMovedEnd = false;
  bidding: Bidding;

  constructor(lot: Lot, bids: readonly RecordedBid[]) {
    [this.#lot, this.#bids] = [lot, bids];
    const { sellerId, startingBid, endDate, latestEnd } = lot;
    this.bidding = newBidding({
      sellerId,
      startingBid,
      endDate: new Date(endDate),
      latestEnd: latestEnd === undefined ? null : new Date(latestEnd),
    });
  }

  /** Carries out an attempt; returns the first difference from the stored rows. */
  attempt(attempt: TimedAttempt): string | null {
    const amount = { kind: "amount", cents: attempt.amount } as const;
    const outcome = decideBid(
      this.bidding,
      { ...attempt, amount, unverifiedLimit: null },
      new Date(attempt.at),
    );
    if (outcome.kind !== "accepted") return `the rules refuse it, ${outcome.kind}`;
    const { bidCount: before } = this.bidding;
    const other = this.#differenceFrom(outcome.bids, attempt.at);
    if (other !== null) return other;
    const own = outcome.bids.findIndex(({ bidderId }) => bidderId === attempt.bidderId);
    const number = own < 0 ? before : before + own + 1;
    if (attempt.number !== number) return `has the number ${attempt.number} in place of ${number}`;
    this.#standing.push(attempt);
    this.#advance(attempt, outcome.bidding);
    return null;
  }

  /** Removes a bidder's bids; returns the first difference from the stored rows. A replacing bid is an attempt. */
  remove(removal: TimedRemoval): string | null {
    const { bidderId, kind, intended, number } = removal;
    const now = new Date(removal.at);
    const refusal = this.#refusalOf(removal, now);
    if (refusal !== null) return refusal;
    if (number !== this.bidding.bidCount + 1) return `stands in place of ${this.bidding.bidCount + 1}`;
    this.#standing = this.#standing.filter((each) => each.bidderId !== bidderId);
    const rest = replayByRules(this.#lot, this.#standing.map(dated));
    const leaving = { bidding: this.bidding, bidderId, kind, rest, hasMovedEnd: this.#hasMovedEnd };
    const { bids } = withdraw({ ...leaving, instead: intended }, now);
    const other = this.#differenceFrom(bids, removal.at);
    if (other !== null) return other;
    const { bidding, movesEnd } = withdraw({ ...leaving, instead: null }, now);
    this.#hasMovedEnd ||= movesEnd;
    this.#advance(removal, bidding);
    return null;
  }

  /** Returns why the rules refuse this removal. A withdrawal without an amount is one by law. */
  #refusalOf({ bidderId, kind, intended: instead }: TimedRemoval, now: Date): string | null {
    const own = this.#standing.findLast((each) => each.bidderId === bidderId);
    if (!own) return "removes bids of somebody without any";
    if (kind === "voided") return null;
    const met = replayByRules(this.#lot, this.#standing.map(dated)).met.get(bidderId);
    const outcome = decideWithdrawal(
      {
        mode: instead === null ? "law" : "mistake",
        bidding: this.bidding,
        own: met ? { ...dated(own), met: met.price, before: met.bound } : null,
        instead,
        withdrawals: [],
      },
      now,
    );
    return outcome.kind === "withdrawn" ? null : `the rules refuse it, ${outcome.kind}`;
  }

  /** Returns the first difference between these bids and the stored rows. */
  #differenceFrom(bids: readonly PublicBid[], time: number): string | null {
    const { bidCount: before } = this.bidding;
    for (const [place, bid] of bids.entries()) {
      const row = this.#bids[before + place];
      const isSame =
        row?.number === before + place + 1 &&
        row.bidderId === bid.bidderId &&
        row.amount === bid.amount &&
        row.kind === bid.kind &&
        row.at === time;
      if (!isSame) return `leads to ${JSON.stringify(bid)}, but stored is ${JSON.stringify(row)}`;
    }
    return null;
  }

  #advance({ begun, done }: CallTime, after: Bidding): void {
    const endBefore = this.bidding.endDate.getTime();
    const from = this.bidding.bidCount + 1;
    this.bidding = after;
    const { bidCount: to, highestBid: price, highestBidderId: leaderId } = after;
    this.moments.push({ begun, done, from, to, price, leaderId, endBefore });
  }
}

/** Replays the accepted attempts and the removals by the rules, and compares the rows with the stored ones. */
export function replay(lot: Lot, { attempts, removals }: Acts, bids: readonly RecordedBid[]): Replay {
  const replayed = new ReplayedLot(lot, bids);
  const remaining = [...removals];
  /** Carries out the removals up to a row; returns the first difference from the stored rows. */
  function removeUpTo(number: number): string | null {
    for (;;) {
      const [removal] = remaining;
      if (!removal || removal.number > number) return null;
      remaining.shift();
      const mismatch = replayed.remove(removal);
      if (mismatch !== null) return `${removal.kind} at ${removal.number}: ${mismatch}`;
    }
  }
  function mismatch(): string | null {
    for (const attempt of attempts) {
      const removed = removeUpTo(attempt.number);
      if (removed !== null) return removed;
      const other = replayed.attempt(attempt);
      if (other !== null) return `${attempt.key}: ${other}`;
    }
    const removed = removeUpTo(Number.POSITIVE_INFINITY);
    const row = bids[replayed.bidding.bidCount];
    return removed ?? (row ? `bid ${row.number} follows from no attempt` : null);
  }
  return { mismatch: mismatch(), moments: replayed.moments, end: replayed.bidding.endDate.getTime() };
}
