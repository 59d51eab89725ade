import { expect, test } from "vitest";
import { timeLeftText, urgencyOf } from "./time-left.ts";

const hour = 3_600_000;

test.each([
  [1, "0h 00m 01s"],
  [999, "0h 00m 01s"],
  [1000, "0h 00m 01s"],
  [1001, "0h 00m 02s"],
  [59_999, "0h 01m 00s"],
  [hour - 1, "1h 00m 00s"],
  [23 * hour + 249_000, "23h 04m 09s"],
  [24 * hour, "24h 00m 00s"],
  [24 * hour + 1, "1 day 0 h"],
  [47 * hour + 249_000, "1 day 23 h"],
  [71 * hour + 3_476_000, "2 days 23 h"],
  [90 * 24 * hour, "90 days 0 h"],
])("%d milliseconds are shown as %s", (milliseconds, text) => expect(timeLeftText(milliseconds)).toBe(text));

test("returns null at the end and after it", () => {
  expect([timeLeftText(0), timeLeftText(-1), timeLeftText(-hour)]).toEqual([null, null, null]);
});

test.each([
  [hour + 1, undefined],
  [hour, "lastHour"],
  [300_001, "lastHour"],
  [300_000, "lastMinutes"],
  [1, "lastMinutes"],
  [0, undefined],
])("%d milliseconds before the end the urgency is %s", (milliseconds, urgency) =>
  expect(urgencyOf(milliseconds)).toBe(urgency),
);
