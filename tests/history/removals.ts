import { grouped } from "./grouped.ts";
import type { CallTime, History, TimedRemoval } from "./history.ts";
import type { RecordedRemoval, Violation } from "./operation.ts";

/** A call that ended a bidder's bids, or may have. Repetitions of a call have the same `key`. */
type RemovingCall = CallTime & { key: string; isAnswered: boolean };
type RemovalName = Pick<RecordedRemoval, "productId" | "bidderId" | "kind" | "intended">;

/** Returns a key shared by removals that the same calls may have led to. */
export const removalKey = ({ productId, bidderId, kind, intended }: RemovalName): string =>
  `${productId} ${bidderId} ${kind} ${intended}`;

/** Groups the calls that ended bids, or may have, by the removals that they may have led to. */
export function removingCalls({ operations, bids, voidings = [] }: History): Map<string, RemovingCall[]> {
  const corrections = operations.flatMap(({ replacesSlip, answer, key, sentAt, answeredAt, ...call }) => {
    const isAnswered = answer.kind === "accepted" || answer.kind === "withdrawn";
    if (!replacesSlip || !(isAnswered || answer.kind === "unknown")) return [];
    const removal = { ...call, kind: "withdrawn", intended: call.amount } as const;
    return { of: removalKey(removal), key, begun: sentAt, done: answeredAt, isAnswered };
  });
  const bidders = new Map(
    bids.map(({ productId, number, bidderId }) => [`${productId} ${number}`, bidderId]),
  );
  const voided = voidings.flatMap(({ productId, number, answer, sentAt, answeredAt }, at) => {
    const bidderId = bidders.get(`${productId} ${number}`);
    if (bidderId === undefined || answer === "refused") return [];
    const removal = { productId, bidderId, kind: "voided", intended: null } as const;
    const isAnswered = answer === "voided";
    return { of: removalKey(removal), key: `voiding ${at}`, begun: sentAt, done: answeredAt, isAnswered };
  });
  return grouped([...corrections, ...voided], ({ of }) => of);
}

/** Adds the time of a removal. An unanswered call may have led to it at any later time. */
export const timedRemoval = (removal: RecordedRemoval, calls: readonly RemovingCall[]): TimedRemoval => ({
  ...removal,
  begun: Math.min(...calls.map(({ begun }) => begun)),
  done: calls.every(({ isAnswered }) => isAnswered)
    ? Math.max(...calls.map(({ done }) => done))
    : Number.POSITIVE_INFINITY,
});

/** Checks that bids were removed at least as often as was answered, and at most as often as was requested. */
export function checkRemovals(history: History): Violation[] {
  const calls = removingCalls(history);
  const removals = grouped(history.removals ?? [], removalKey);
  const keysOf = (some: readonly RemovingCall[]) => new Set(some.map(({ key }) => key)).size;
  return [...new Set([...calls.keys(), ...removals.keys()])].flatMap((of): Violation[] => {
    const [requests, number] = [calls.get(of) ?? [], removals.get(of)?.length ?? 0];
    const answered = keysOf(requests.filter(({ isAnswered }) => isAnswered));
    if (number >= answered && number <= keysOf(requests)) return [];
    const detail = `${of}: stored ${number} times, sent ${keysOf(requests)} times, answered ${answered} times`;
    return [{ rule: "bids leave as they were asked to", detail }];
  });
}
