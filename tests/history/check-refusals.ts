import { minIncrement } from "#domain/bid.ts";
import { type Cents, highestAmount } from "#domain/money.ts";
import { bidKey, type LotHistory, type TimedBid } from "./history.ts";
import type { Lot, Operation, Violation } from "./operation.ts";

/** Whether a lot could have had exactly its first `k` bids at some moment of the call. */
type IsPossible = (k: number, call: Operation) => boolean;

/**
 * Returns the check that all bids up to the k-th may have begun before the answer, and none after it was surely done
 * before the sending.
 */
function possibilities(bids: readonly TimedBid[]): IsPossible {
  const begunBy = [Number.NEGATIVE_INFINITY];
  for (const { begun } of bids) begunBy.push(Math.max(begunBy.at(-1) ?? begun, begun));
  const doneFrom = [Number.POSITIVE_INFINITY];
  for (const { done } of bids.toReversed()) doneFrom.push(Math.min(doneFrom.at(-1) ?? done, done));
  doneFrom.reverse();
  return (k, { sentAt, answeredAt }) =>
    (begunBy[k] ?? Number.POSITIVE_INFINITY) <= answeredAt &&
    (doneFrom[k] ?? Number.NEGATIVE_INFINITY) >= sentAt;
}

/** Checks that every refusal was right at some moment of its call. */
export function checkRefusals({ lot, bids, operations }: LotHistory): Violation[] {
  const isPossible = possibilities(bids);
  // Number of bids after which that amount was the least.
  const placeOf = new Map<Cents, number>([[lot.startingBid, 0]]);
  for (const { amount, number } of bids) placeOf.set(amount + minIncrement, number);
  const stored = new Map(bids.map((bid) => [bidKey(bid), bid]));

  const isTooLow = (call: Operation, least: Cents) => {
    const place = placeOf.get(least);
    return place !== undefined && (call.amount ?? least) < least && isPossible(place, call);
  };
  return operations.flatMap((call) => {
    const { answer } = call;
    const isRight =
      answer.kind === "tooLow"
        ? isTooLow(call, answer.least)
        : isRightRefusal(lot, call, stored.get(bidKey(call)));
    return isRight ? [] : [{ rule: ruleOf(answer.kind), detail: `${call.key}: ${JSON.stringify(call)}` }];
  });
}

const ruleOf = (kind: Operation["answer"]["kind"]): Violation["rule"] =>
  kind === "ended" ? "nothing at or after the end" : "refusals were right";

/** Whether a refusal that doesn't depend on others' bids was right. `stored` is the bid under the same key. */
function isRightRefusal(
  lot: Lot,
  { answer, bidderId, amount }: Operation,
  stored: TimedBid | undefined,
): boolean {
  switch (answer.kind) {
    case "ended":
      return answer.at >= lot.endDate;
    case "ownProduct":
      return bidderId === lot.sellerId;
    case "notAnAmount":
      return amount === null;
    case "tooHigh":
      return amount !== null && amount > highestAmount;
    case "keyReused":
      return stored !== undefined && stored.amount !== amount;
    case "tooLow":
    case "accepted":
    case "unknown":
      return true;
  }
}
