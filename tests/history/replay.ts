import { type Bidding, decideBid, newBidding } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";
import type { TimedAttempt } from "./history.ts";
import type { Lot, RecordedBid } from "./operation.ts";

/**
 * The state of a lot after an attempt, which led to the public bids `from` up to `to`; a limit that its owner moved led
 * to none, and `to` is the latest one. `endBefore` is the end that the attempt met.
 */
export type Moment = {
  attempt: TimedAttempt;
  from: number;
  to: number;
  price: Cents | null;
  leaderId: string | null;
  endBefore: number;
};

/** `end` is the one after all attempts, in milliseconds since 1970. */
type Replay = { moments: Moment[]; end: number; mismatch: string | null };

/** Carries out the accepted attempts once more by the rules, and compares the public bids with the stored ones. */
export function replay(
  { sellerId, startingBid, endDate, latestEnd }: Lot,
  attempts: readonly TimedAttempt[],
  bids: readonly RecordedBid[],
): Replay {
  const moments: Moment[] = [];
  let bidding: Bidding = newBidding({
    sellerId,
    startingBid,
    endDate: new Date(endDate),
    latestEnd: latestEnd === undefined ? null : new Date(latestEnd),
  });
  for (const attempt of attempts) {
    const amount = { kind: "amount", cents: attempt.amount } as const;
    const outcome = decideBid(bidding, { ...attempt, amount, unverifiedLimit: null }, new Date(attempt.at));
    const mismatch = (detail: string) => ({
      moments,
      end: bidding.endDate.getTime(),
      mismatch: `${attempt.key}: ${detail}`,
    });
    if (outcome.kind !== "accepted") return mismatch(`the rules refuse it, ${outcome.kind}`);
    const before = bidding.bidCount;
    for (const [at, bid] of outcome.bids.entries()) {
      const row = bids[before + at];
      const isSame =
        row?.number === before + at + 1 &&
        row.bidderId === bid.bidderId &&
        row.amount === bid.amount &&
        row.kind === bid.kind &&
        row.at === attempt.at;
      if (!isSame) return mismatch(`leads to ${JSON.stringify(bid)}, but stored is ${JSON.stringify(row)}`);
    }
    const own = outcome.bids.findIndex(({ bidderId }) => bidderId === attempt.bidderId);
    const number = own < 0 ? before : before + own + 1;
    if (attempt.number !== number) return mismatch(`has the number ${attempt.number} in place of ${number}`);
    const endBefore = bidding.endDate.getTime();
    bidding = outcome.bidding;
    const { bidCount: to, highestBid: price, highestBidderId: leaderId } = bidding;
    moments.push({ attempt, from: before + 1, to, price, leaderId, endBefore });
  }
  const extra = bids[bidding.bidCount];
  const end = bidding.endDate.getTime();
  return { moments, end, mismatch: extra ? `bid ${extra.number} follows from no attempt` : null };
}
