import { leastBid } from "#domain/bid.ts";
import { type Cents, highestAmount } from "#domain/money.ts";
import { grouped } from "./grouped.ts";
import { bidKey, type LotHistory, type TimedAttempt, type TimedBid } from "./history.ts";
import type { Lot, Operation, Violation } from "./operation.ts";

/** A lot's state after this many rows. */
type State = { number: number; price: Cents | null; leaderId: string | null };

/** Whether a lot could have had exactly its first `k` bids at some moment of the call. */
type IsPossible = (k: number, call: Operation) => boolean;

/**
 * Returns a check that the first k bids could have preceded the answer, and that no later bid was surely done before
 * the call was sent.
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

/** Checks that every refusal, and the state in an accepted bid's answer, was correct at some moment of its call. */
export function checkRefusals({ lot, end, bids, attempts, moments, operations }: LotHistory): Violation[] {
  const isPossible = possibilities(bids);
  const states: State[] = [
    { number: 0, price: null, leaderId: null },
    ...moments.map(({ to: number, price, leaderId }) => ({ number, price, leaderId })),
  ];
  const withPrice = grouped(states, ({ price }) => `${price}`);
  const withLeast = grouped(
    states,
    ({ price }) => `${leastBid({ highestBid: price, startingBid: lot.startingBid })}`,
  );
  const attemptByKey = new Map(attempts.map((attempt) => [bidKey(attempt), attempt]));

  /** Returns the states where this is the call's least amount: a leader's limit may be as low as the price. */
  const statesWithLeast = ({ bidderId, form }: Operation, least: Cents): State[] => {
    const own = form === "upTo" ? (withPrice.get(`${least}`) ?? []) : [];
    return [...(withLeast.get(`${least}`) ?? []), ...own.filter(({ leaderId }) => leaderId === bidderId)];
  };
  const isTooLow = (call: Operation, least: Cents) =>
    (call.amount ?? least) < least &&
    statesWithLeast(call, least).some(({ number }) => isPossible(number, call));
  /** Whether the lot had this least bid and this leader (or not) at a moment of the call after its bid. */
  const matchesState = (call: Operation, { number, leading, least }: AcceptedAnswer) =>
    (withLeast.get(`${least}`) ?? []).some(
      (state) =>
        state.number >= number &&
        (state.leaderId === call.bidderId) === leading &&
        isPossible(state.number, call),
    );
  const isCorrect = (call: Operation): boolean => {
    const { answer } = call;
    if (answer.kind === "tooLow") return isTooLow(call, answer.least);
    if (answer.kind === "accepted") return !attemptByKey.has(bidKey(call)) || matchesState(call, answer);
    return isCorrectRefusal({ ...lot, endDate: end }, call, attemptByKey.get(bidKey(call)));
  };
  return operations
    .filter((call) => !isCorrect(call))
    .map((call) => ({ rule: ruleOf(call.answer.kind), detail: `${call.key}: ${JSON.stringify(call)}` }));
}

type AcceptedAnswer = Extract<Operation["answer"], { kind: "accepted" }>;

const ruleOf = (kind: Operation["answer"]["kind"]): Violation["rule"] => {
  if (kind === "ended") return "nothing at or after the end";
  return kind === "accepted" ? "answers keep the order of time" : "refusals were right";
};

/**
 * Whether a refusal that doesn't depend on others' bids was correct. The lot's end is the extended one; `attempt` is
 * the bid under the same key.
 */
function isCorrectRefusal(
  lot: Lot,
  { answer, bidderId, amount, form }: Operation,
  attempt: TimedAttempt | undefined,
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
      return attempt !== undefined && (attempt.amount !== amount || attempt.form !== form);
    case "tooLow":
    case "accepted":
    case "withdrawn":
    case "stays":
    case "unknown":
      return true;
  }
}
