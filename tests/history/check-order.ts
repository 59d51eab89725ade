import { minIncrement } from "#domain/bid.ts";
import { grouped } from "./grouped.ts";
import type { LotHistory, TimedBid } from "./history.ts";
import type { Lot, Violation } from "./operation.ts";

/**
 * Checks that numbers have no gap, that bids are in order of amount and time, before the end and within limits, and
 * that they follow from the accepted attempts by the rules.
 */
export function checkOrder(history: LotHistory): Violation[] {
  const { lot, bids, mismatch } = history;
  return [
    ...bids.flatMap((bid, at) => checkIncrease(lot, bid, at, bids)),
    ...checkLimits(history),
    ...(mismatch === null
      ? []
      : [{ rule: "bids follow from the rules", detail: `${lot.id}: ${mismatch}` } as const]),
    ...checkRealTime(bids),
    ...bids.flatMap((bid) => checkEnd(lot, bid)),
  ];
}

/**
 * Checks that the price falls only when bids are removed, and that an exact bid is at least R1 above the price that it
 * met. The last bid of a limit that it used up may come in between.
 */
function checkIncrease(
  { id, startingBid }: Lot,
  { number, amount, kind }: TimedBid,
  at: number,
  bids: readonly TimedBid[],
): Violation[] {
  const [before, earlier] = [bids[at - 1], bids[at - 2]];
  const isBetween = before?.kind === "auto" && before.key === null && amount > before.amount;
  const met = isBetween ? (earlier ?? before) : before;
  const increment = kind === "bid" ? minIncrement : 0;
  // A removal that leaves no bid says that the price is 0.
  const least = met && met.amount > 0 ? Math.max(met.amount + increment, before?.amount ?? 0) : startingBid;
  if (number === at + 1 && (isRemoval(kind) || amount >= least)) return [];
  const detail = `${id}: bid ${number} of ${amount} stands at place ${at + 1}, where ${least} is the least`;
  return [{ rule: "amounts increase", detail }];
}

const isRemoval = (kind: TimedBid["kind"]): boolean => kind === "withdrawn" || kind === "voided";

/** Checks that no automatic bid exceeds the highest limit that its bidder had set by then and that counts. */
function checkLimits({ lot, bids, attempts, removals }: LotHistory): Violation[] {
  const limits = grouped(
    attempts.filter(({ form }) => form === "upTo"),
    ({ bidderId }) => bidderId,
  );
  return bids
    .filter(({ kind }) => kind === "auto")
    .flatMap(({ number, bidderId, amount }): Violation[] => {
      const removal = removals.findLast((each) => each.bidderId === bidderId && each.number < number);
      const since = removal?.number ?? 0;
      const own = (limits.get(bidderId) ?? []).filter(
        (limit) => limit.number <= number && limit.number > since,
      );
      const limit = Math.max(0, ...own.map((each) => each.amount));
      if (amount <= limit) return [];
      return [
        { rule: "limits are kept", detail: `${lot.id}: bid ${number} of ${amount} is beyond ${limit}` },
      ];
    });
}

/** Checks that a bid acknowledged before another one was sent has the smaller number. */
function checkRealTime(bids: readonly TimedBid[]): Violation[] {
  let latestBegun = Number.NEGATIVE_INFINITY;
  return bids.flatMap(({ productId, number, begun, done }) => {
    const isLate = done < latestBegun;
    latestBegun = Math.max(latestBegun, begun);
    const detail = `${productId}: bid ${number} was acknowledged before one with a smaller number was sent`;
    return isLate ? [{ rule: "answers keep the order of time", detail }] : [];
  });
}

function checkEnd({ id, sellerId }: Lot, { number, at, bidderId, endBefore: end }: TimedBid): Violation[] {
  if (bidderId === sellerId)
    return [{ rule: "refusals were right", detail: `${id}: bid ${number} is the seller's` }];
  if (at < end) return [];
  return [{ rule: "nothing at or after the end", detail: `${id}: bid ${number}, ${at - end} ms after` }];
}
