import { describe, expect, test } from "vitest";
import { auctionLimits } from "./auction.ts";
import { additionLimits, additionProblem, decideAddition, decideEdit } from "./auction-edit.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const inMilliseconds = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const open = { state: "open", endDate: inMilliseconds(2 * auctionLimits.lastHours), bidCount: 0 } as const;

test.each([
  ["allowed", open, true],
  ["notFound", open, false],
  ["notFound", { ...open, state: "removed" }, true],
  ["hasBids", { ...open, bidCount: 1 }, true],
  ["allowed", { ...open, endDate: inMilliseconds(1) }, true],
  ["ended", { ...open, endDate: now }, true],
  ["ended", { ...open, state: "sold", bidCount: 3 }, true],
  ["ended", { ...open, state: "unsold" }, true],
] as const)("an edit is %s: %j, by its seller: %s", (kind, auction, isSeller) =>
  expect(decideEdit(auction, isSeller, now).kind).toBe(kind),
);

test.each([
  ["allowed", { ...open, bidCount: 5 }, true],
  ["notFound", open, false],
  ["notFound", { ...open, state: "removed" }, true],
  ["allowed", { ...open, endDate: inMilliseconds(auctionLimits.lastHours) }, true],
  ["lastHours", { ...open, endDate: inMilliseconds(auctionLimits.lastHours - 1) }, true],
  ["ended", { ...open, endDate: now }, true],
  ["ended", { ...open, state: "sold" }, true],
  ["allowed", { ...open, additions: additionLimits.additions - 1 }, true],
  ["tooMany", { ...open, additions: additionLimits.additions }, true],
] as const)("an addition is %s: %j, by its seller: %s", (kind, auction, isSeller) =>
  expect(decideAddition({ additions: 0, ...auction }, isSeller, now).kind).toBe(kind),
);

describe("the text of an addition", () => {
  test.each(["", " \n", "x".repeat(additionLimits.text + 1)])("is refused: %j", (text) =>
    expect(additionProblem(text)).toMatchObject({ code: "form/incomplete", field: "text" }),
  );
  test("may be as long as its limit", () =>
    expect(additionProblem(` ${"x".repeat(additionLimits.text)} `)).toBeNull());
});
