import { expect, test } from "vitest";
import { deadlineInstant } from "#domain/deadline.ts";
import {
  aboutRandWords,
  academicYearWords,
  deadlineAt,
  durationWords,
  feePeriodWords,
  feeWords,
  inRand,
  intakeWords,
  uncheckedWords,
} from "#domain/programme-words.ts";

test("an intake is named by its month and year", () => {
  expect(intakeWords({ year: 2027, month: 9 })).toBe("September 2027");
  expect(intakeWords({ year: 2028, month: 1 })).toBe("January 2028");
});

test.each([
  [1, "1 month"],
  [9, "9 months"],
  [12, "1 year"],
  [18, "18 months"],
  [36, "3 years"],
  [null, "Not known"],
])("%s months are %s", (months, words) => {
  expect(durationWords(months)).toBe(words);
});

test("a fee shows its cents unless they are zero, and no cents in yen", () => {
  expect(feeWords(2_750_000, "GBP")).toBe("GBP\u00a027,500");
  expect(feeWords(2_750_050, "GBP")).toBe("GBP\u00a027,500.50");
  expect(feeWords(535_800, "JPY")).toBe("JPY\u00a0535,800");
});

test("an amount in rand is rounded to the nearest hundred", () => {
  expect(aboutRandWords(61_234_567)).toBe("about R612,300");
  expect(aboutRandWords(0)).toBe("about R0");
});

test("an amount is converted to rand by how much of the currency one rand is worth", () => {
  expect(inRand(2_750_000, "GBP", "0.0425")).toBe(64_705_882);
  expect(inRand(535_800, "JPY", "8.5")).toBe(6_303_529);
});

test("a fee is for a year, for the whole programme, or paid once", () => {
  expect(feePeriodWords({ kind: "tuition", per: "year" })).toBe("a year");
  expect(feePeriodWords({ kind: "tuition", per: "whole" })).toBe("for the whole programme");
  expect(feePeriodWords({ kind: "application", per: "whole" })).toBe("once");
  expect(feePeriodWords({ kind: "deposit", per: "whole" })).toBe("once");
});

test("an academic year is named by its two years", () => {
  expect(academicYearWords(2026)).toBe("2026/27");
  expect(academicYearWords(2099)).toBe("2099/00");
});

test("says that a programme has not been checked for a year or longer", () => {
  expect(uncheckedWords("2025-11-24", "2026-11-24")).toBeNull();
  expect(uncheckedWords("2025-11-23", "2026-11-24")).toBe("Not checked for a year");
  expect(uncheckedWords("2025-05-23", "2026-11-24")).toBe("Not checked for 18 months");
});

test("a deadline at midnight is the end of the day before, in the institution's zone", () => {
  const [end, five] = ["2027-06-30T23:00:00Z", "2027-06-30T16:00:00Z"].map((at) => new Date(at));
  if (!end || !five) throw new Error("there are two");
  expect(deadlineAt(end, "Europe/London")).toMatchObject({ date: "2027-06-30", time: null });
  expect(deadlineAt(five, "Europe/London")).toMatchObject({ date: "2027-06-30", time: "17:00" });
  expect(deadlineInstant(deadlineAt(end, "Europe/London"))).toEqual(end);
});
