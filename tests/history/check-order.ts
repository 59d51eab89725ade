import { minIncrement } from "#domain/bid.ts";
import type { LotHistory, TimedBid } from "./history.ts";
import type { Lot, Violation } from "./operation.ts";

/** Checks that numbers have no gap, and that bids are in order of amount and time, and before the end. */
export function checkOrder({ lot, bids }: LotHistory): Violation[] {
  return [
    ...bids.flatMap((bid, at) => checkIncrease(lot, bid, at, bids[at - 1])),
    ...checkRealTime(bids),
    ...bids.flatMap((bid) => checkEnd(lot, bid)),
  ];
}

function checkIncrease(
  { id, startingBid }: Lot,
  { number, amount }: TimedBid,
  at: number,
  before: TimedBid | undefined,
): Violation[] {
  const least = before ? before.amount + minIncrement : startingBid;
  if (number === at + 1 && amount >= least) return [];
  const detail = `${id}: bid ${number} of ${amount} stands at place ${at + 1}, where ${least} is the least`;
  return [{ rule: "amounts increase", detail }];
}

/** A bid that was acknowledged before another one was sent has the smaller number. */
function checkRealTime(bids: readonly TimedBid[]): Violation[] {
  let latestBegun = Number.NEGATIVE_INFINITY;
  return bids.flatMap(({ productId, number, begun, done }) => {
    const isLate = done < latestBegun;
    latestBegun = Math.max(latestBegun, begun);
    const detail = `${productId}: bid ${number} was acknowledged before one with a smaller number was sent`;
    return isLate ? [{ rule: "answers keep the order of time", detail }] : [];
  });
}

function checkEnd({ id, endDate, sellerId }: Lot, { number, at, bidderId }: TimedBid): Violation[] {
  if (bidderId === sellerId)
    return [{ rule: "refusals were right", detail: `${id}: bid ${number} is the seller's` }];
  if (at < endDate) return [];
  return [{ rule: "nothing at or after the end", detail: `${id}: bid ${number}, ${at - endDate} ms after` }];
}
