import { expect, test } from "vitest";
import { barredText, barredUntil, strikeEnds } from "./strike.ts";

const day = 24 * 3_600_000;
const on = (days: number) => new Date(days * day);
const strike = (days: number, lifted = false) => ({
  at: on(days),
  until: strikeEnds(on(days)),
  liftedAt: lifted ? on(days + 1) : null,
});

test("a strike counts for a year", () => expect(strikeEnds(on(0))).toEqual(on(365)));

test.each([
  ["none", [], null],
  ["two", [strike(0), strike(1)], null],
  ["three within a year", [strike(0), strike(100), strike(364)], on(364 + 90)],
  ["three in any order", [strike(364), strike(0), strike(100)], on(364 + 90)],
  ["a third when the first has ended", [strike(0), strike(100), strike(365)], null],
  ["three, one of them lifted", [strike(0), strike(1, true), strike(2)], null],
  ["four, one of them lifted", [strike(0), strike(1, true), strike(2), strike(3)], on(93)],
  ["four", [strike(0), strike(1), strike(2), strike(200)], on(290)],
  ["three, and two more years later", [strike(0), strike(1), strike(2), strike(800), strike(801)], on(92)],
] as const)("%s bar an account until the expected day", (_, strikes, until) =>
  expect(barredUntil([...strikes])).toEqual(until),
);

test("the reason names the day", () =>
  expect(barredText(new Date("2027-03-03T10:00:00Z"))).toBe(
    "You can't bid or sell until 3 March 2027, because of 3 strikes for sales that fell through or false reports.",
  ));
