import { expect, test } from "vitest";
import { checkHistory } from "./check-history.ts";
import type { Lot, Operation, OperationAnswer, RecordedBid, Rule } from "./operation.ts";

const end = 1_000_000;
const lot: Lot = { id: "desk", sellerId: "seller", startingBid: 1000, endDate: end };

/** A call that was sent and answered at these times. */
const call = (
  key: string,
  [sentAt, answeredAt]: [number, number],
  amount: number | null,
  answer: OperationAnswer,
  bidderId = "ada",
): Operation => ({
  bidderId,
  productId: lot.id,
  key,
  form: "exact",
  amount,
  sentAt,
  answeredAt,
  answer,
});
const bid = (
  key: string,
  number: number,
  amount: number,
  changes: Partial<RecordedBid> = {},
): RecordedBid => ({
  productId: lot.id,
  number,
  bidderId: "ada",
  key,
  kind: "bid",
  amount,
  at: 100 + number,
  ...changes,
});
const accepted = (number: number, amount: number): AcceptedAnswer => ({
  kind: "accepted",
  number,
  amount,
  at: 100 + number,
  leading: true,
  least: amount + 100,
});

/** Two bids in sequence, and a third one during the second. */
const calls = [
  call("a", [0, 10], 1000, accepted(1, 1000)),
  call("b", [20, 40], 1100, accepted(2, 1100)),
  call("c", [25, 50], 1300, accepted(3, 1300)),
];
const bids = [bid("a", 1, 1000), bid("b", 2, 1100), bid("c", 3, 1300)];

type AcceptedAnswer = Extract<OperationAnswer, { kind: "accepted" }>;

type Parts = { operations?: Operation[]; bids?: RecordedBid[]; lots?: Lot[]; faults?: boolean };
const check = ({ operations = calls, bids: all = bids, lots = [lot], faults = false }: Parts) =>
  checkHistory({ operations, bids: all, limits: [], lots }, { faults });
const rules = (parts: Parts): Rule[] => [...new Set(check(parts).map(({ rule }) => rule))];
const withCall = (...added: Operation[]) => ({ operations: [...calls, ...added] });
const withoutCall = (key: string) => calls.filter((each) => each.key !== key);
const withoutBid = (key: string) => bids.filter((each) => each.key !== key);

test("a correct history with every kind of correct refusal passes", () => {
  expect(check({})).toEqual([]);
  const refused = withCall(
    call("low 0", [0, 10], 900, { kind: "tooLow", least: 1000 }),
    call("low 1", [11, 19], 1000, { kind: "tooLow", least: 1100 }),
    call("low 2", [30, 35], 1100, { kind: "tooLow", least: 1200 }),
    call("low 3", [60, 70], 1300, { kind: "tooLow", least: 1400 }),
    call("own", [0, 10], 5000, { kind: "ownProduct" }, "seller"),
    call("word", [0, 10], null, { kind: "notAnAmount" }),
    call("high", [0, 10], 10_000_000_001, { kind: "tooHigh" }),
    call("a", [60, 70], 5000, { kind: "keyReused" }),
    call("a", [60, 70], 1000, { ...accepted(1, 1000), least: 1400 }),
    call("late", [60, 70], 5000, { kind: "ended", at: end }),
  );
  expect(check(refused)).toEqual([]);
});

test("a call concurrent with others may have been carried out before or after them", () => {
  for (const least of [1100, 1200, 1400])
    expect(check(withCall(call("low", [28, 60], 1000, { kind: "tooLow", least })))).toEqual([]);
});

test("amounts that do not increase by R1, gaps and repeated numbers are found", () => {
  const changed = (amount: number, number = 2) => ({
    operations: [...withoutCall("b"), call("b", [20, 40], amount, accepted(number, amount))],
    bids: [...withoutBid("b"), bid("b", number, amount)],
  });
  expect(rules(changed(1099))).toContain("amounts increase");
  expect(rules(changed(1201))).toContain("amounts increase");
  expect(rules(changed(1100, 3))).toContain("amounts increase");
  expect(rules({ lots: [{ ...lot, startingBid: 1001 }] })).toContain("amounts increase");
});

test("an acknowledged bid that is lost or stored differently is found", () => {
  expect(rules({ bids: bids.slice(0, 2) })).toEqual(["acknowledged bids are stored"]);
  expect(rules({ bids: [...bids.slice(0, 2), bid("c", 3, 1300, { at: 999 })] })).toEqual([
    "acknowledged bids are stored",
  ]);
  const otherAmount = call("c", [25, 50], 1299, accepted(3, 1300));
  expect(rules({ operations: [...calls.slice(0, 2), otherAmount] })).toContain(
    "acknowledged bids are stored",
  );
});

test("a stored bid that nobody sent, that was refused, or that is stored twice is found", () => {
  expect(rules({ bids: [...bids, bid("x", 4, 1400)] })).toEqual(["stored bids were sent"]);
  const refused = withCall(call("x", [60, 70], 1400, { kind: "tooLow", least: 1500 }));
  expect(rules({ ...refused, bids: [...bids, bid("x", 4, 1400)] })).toContain("stored bids were sent");
  expect(rules({ bids: [...bids, bid("c", 4, 1400)] })).toContain("stored bids were sent");
});

test("a bid that was acknowledged before one with a smaller number was sent is found", () => {
  const early = call("c", [15, 19], 1300, accepted(3, 1300));
  expect(rules({ operations: [...withoutCall("c"), early] })).toEqual(["answers keep the order of time"]);
});

test("a refusal that was correct only before or after the call, or never, is found", () => {
  const refusal = (sentAt: number, answeredAt: number, least: number, amount = 500) =>
    rules(withCall(call("low", [sentAt, answeredAt], amount, { kind: "tooLow", least })));
  expect(refusal(11, 15, 1000)).toEqual(["refusals were right"]);
  expect(refusal(11, 15, 1200)).toEqual(["refusals were right"]);
  expect(refusal(60, 70, 1100)).toEqual(["refusals were right"]);
  expect(refusal(60, 70, 1250)).toEqual(["refusals were right"]);
  expect(refusal(60, 70, 1400, 1400)).toEqual(["refusals were right"]);
});

test.each<[string, Operation]>([
  ["another person's bid as the seller's", call("x", [0, 1], 5000, { kind: "ownProduct" })],
  ["a valid amount as invalid", call("x", [0, 1], 5000, { kind: "notAnAmount" })],
  ["an amount as too high", call("x", [0, 1], 10_000_000_000, { kind: "tooHigh" })],
  ["a fresh key as used", call("x", [0, 1], 5000, { kind: "keyReused" })],
  ["the same bid again as another one", call("a", [60, 70], 1000, { kind: "keyReused" })],
])("refusing %s is found", (_, wrong) => {
  expect(rules(withCall(wrong))).toEqual(["refusals were right"]);
});

test("an accepted bid of the seller is found", () => {
  expect(rules({ lots: [{ ...lot, sellerId: "ada" }] })).toContain("refusals were right");
});

test("a bid at or after the end, and an end before its time, are found", () => {
  expect(rules({ lots: [{ ...lot, endDate: 104 }] })).toEqual([]);
  expect(rules({ lots: [{ ...lot, endDate: 103 }] })).toContain("nothing at or after the end");
  const early = call("x", [60, 70], 5000, { kind: "ended", at: end - 1 });
  expect(rules(withCall(early))).toEqual(["nothing at or after the end"]);
});

test("an end that late bids extend is checked as they extended it", () => {
  const soft = { ...lot, endDate: 200_000, latestEnd: 400_000 };
  const opening = [
    ["ada", 1, 1000, 100],
    ["bea", 2, 1100, 150_000],
    ["ada", 3, 1300, 260_000],
  ] as const;
  const parts = (...more: [bidderId: string, number: number, amount: number, at: number][]) => {
    const all = [...opening, ...more];
    return {
      lots: [soft],
      operations: all.map(([bidderId, number, amount, at]) =>
        call(`${number}`, [at, at + 1], amount, { ...accepted(number, amount), at }, bidderId),
      ),
      bids: all.map(([bidderId, number, amount, at]) => bid(`${number}`, number, amount, { bidderId, at })),
    };
  };
  expect(check(parts())).toEqual([]);
  expect(check(parts(["bea", 4, 1500, 379_999]))).toEqual([]);
  expect(rules(parts(["bea", 4, 1500, 380_000]))).toContain("nothing at or after the end");
  const { operations, ...rest } = parts();
  const refused = (at: number) =>
    rules({ ...rest, operations: [...operations, call("late", [at, at + 1], 5000, { kind: "ended", at })] });
  expect(refused(380_000)).toEqual([]);
  expect(refused(379_999)).toEqual(["nothing at or after the end"]);
});

test("unanswered calls are found if nothing was killed; otherwise they may have been carried out or not", () => {
  const unknown: OperationAnswer = { kind: "unknown", why: "the connection broke" };
  const lost = withCall(call("x", [60, 70], 1400, unknown));
  expect(rules(lost)).toEqual(["every call is answered"]);
  expect(check({ ...lost, faults: true })).toEqual([]);
  const history = { ...lost, bids: [...bids, bid("x", 4, 1400)], faults: true };
  expect(check(history)).toEqual([]);
  // The bid may have been accepted at any time after it was sent, but not before.
  const later = (least: number, sentAt: number) =>
    call("low", [sentAt, sentAt + 5], 1000, { kind: "tooLow", least });
  for (const least of [1400, 1500])
    expect(check({ ...history, operations: [...lost.operations, later(least, 80)] })).toEqual([]);
  expect(rules({ ...history, operations: [...lost.operations, later(1500, 52)] })).toEqual([
    "refusals were right",
  ]);
});
