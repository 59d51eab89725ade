import { grouped } from "./grouped.ts";
import { attemptsIn, bidKey, type History, type StoredAttempt } from "./history.ts";
import type { Operation, Violation } from "./operation.ts";

/** Checks that every acknowledged bid is stored once and as answered, and that only bids that were sent are stored. */
export function checkStored({ operations, ...history }: History): Violation[] {
  const storedByKey = grouped(attemptsIn(history), bidKey);
  const sentByKey = grouped(operations, bidKey);
  return [
    ...operations.flatMap((call) => checkAcknowledged(call, storedByKey.get(bidKey(call)) ?? [])),
    ...[...storedByKey].flatMap(([key, bids]) => checkOrigin(bids, sentByKey.get(key) ?? [])),
  ];
}

function checkAcknowledged(
  { answer, key, productId, form, amount }: Operation,
  bids: readonly StoredAttempt[],
): Violation[] {
  if (answer.kind !== "accepted") return [];
  const violation = (detail: string): Violation[] => [
    { rule: "acknowledged bids are stored", detail: `${key}: ${detail}` },
  ];
  if (answer.amount !== amount) return violation(`sent as ${amount}, answered as ${answer.amount}`);
  const [bid] = bids;
  if (!bid) return violation("not stored");
  const isSame =
    bid.productId === productId &&
    bid.form === form &&
    bid.amount === answer.amount &&
    bid.number === answer.number &&
    bid.at === answer.at;
  return isSame ? [] : violation(`stored as ${JSON.stringify(bid)}, answered as ${JSON.stringify(answer)}`);
}

function checkOrigin(bids: readonly StoredAttempt[], calls: readonly Operation[]): Violation[] {
  const violation = (detail: string): Violation[] => [
    { rule: "stored bids were sent", detail: `${bids[0]?.key}: ${detail}` },
  ];
  if (bids.length > 1) return violation(`stored ${bids.length} times`);
  const [bid] = bids;
  const isSent = calls.some(
    ({ productId, form, amount, answer }) =>
      productId === bid?.productId &&
      form === bid.form &&
      amount === bid.amount &&
      (answer.kind === "accepted" || answer.kind === "unknown"),
  );
  return isSent ? [] : violation("stored, but never sent so, or refused");
}
