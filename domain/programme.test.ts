import { describe, expect, test } from "vitest";
import {
  checkInstitution,
  type Fee,
  type IntakeEntry,
  intakesProblem,
  isComing,
  judgedFor,
  listedTuition,
  nextMonth,
  startDay,
} from "./programme.ts";

const today = "2026-11-24";
const intake = (year: number, month: number, state: IntakeEntry["state"] = "open") => ({
  year,
  month,
  state,
});

describe("the day for which a programme is judged", () => {
  test.each([
    ["its next open start", [intake(2027, 9), intake(2027, 1)], "2027-01-01"],
    ["a start that isn't open yet", [intake(2027, 3, "notYet")], "2027-03-01"],
    [
      "not one that is closed or full",
      [intake(2027, 1, "closed"), intake(2027, 2, "full"), intake(2027, 9)],
      "2027-09-01",
    ],
    ["not one that has begun", [intake(2026, 11), intake(2026, 9)], "2026-12-01"],
    ["the next month without any", [], "2026-12-01"],
    ["any month of the year, not the form's three alone", [intake(2027, 4)], "2027-04-01"],
  ] as const)("is %s", (_, intakes, day) => {
    expect(judgedFor(intakes, today)).toBe(day);
  });

  test("follows the year's end", () => {
    expect(nextMonth("2026-12-31")).toBe("2027-01-01");
    expect(startDay({ year: 2027, month: 1 })).toBe("2027-01-01");
  });

  test("is not a start of today, which can't be applied for any more", () => {
    expect(isComing(intake(2027, 1), "2027-01-01")).toBe(false);
    expect(isComing(intake(2027, 1), "2026-12-31")).toBe(true);
  });
});

describe("the tuition that lists show", () => {
  const fee = (changes: Partial<Fee>): Fee => ({
    kind: "tuition",
    amount: 100,
    currency: "GBP",
    per: "year",
    academicYear: 2026,
    audience: "international",
    ...changes,
  });

  test("is the latest year's for international students, or for all", () => {
    const [old, home, all, latest] = [
      fee({ academicYear: 2025 }),
      fee({ academicYear: 2027, audience: "home" }),
      fee({ audience: "all" }),
      fee({}),
    ];
    expect(listedTuition([old, home, all, latest])).toBe(latest);
    expect(listedTuition([old, home, all])).toBe(all);
  });

  test("is none where only other fees, home fees or fees for the whole programme are known", () => {
    expect(
      listedTuition([fee({ kind: "deposit" }), fee({ audience: "home" }), fee({ per: "whole" })]),
    ).toBeNull();
    expect(listedTuition([])).toBeNull();
  });
});

describe("intakes", () => {
  const whole = (changes: Partial<IntakeEntry> = {}): IntakeEntry => ({
    year: 2027,
    month: 9,
    state: "open",
    deadlines: [{ kind: "applyBy", group: null, date: "2027-06-30", time: "17:00", hard: true }],
    ...changes,
  });
  const deadline = whole().deadlines[0] ?? { kind: "applyBy", group: null, date: "", time: null, hard: true };

  test("with a variant of a deadline for each group are fine", () => {
    const deadlines = [
      deadline,
      { ...deadline, group: "West Africa" },
      { ...deadline, kind: "depositBy" as const },
    ];
    expect(intakesProblem([whole({ deadlines }), whole({ month: 1 })])).toBeNull();
  });

  test.each([
    [[whole(), whole()]],
    [[whole({ month: 0 })]],
    [[whole({ month: 13 })]],
    [[whole({ month: 1.5 })]],
    [[whole({ year: 1999 })]],
    [[whole({ deadlines: [deadline, deadline] })]],
    [[whole({ deadlines: [{ ...deadline, date: "2027-02-30" }] })]],
    [[whole({ deadlines: [{ ...deadline, time: "24:00" }] })]],
    [
      Array.from({ length: 25 }, (_, at) =>
        whole({ year: 2027 + Math.floor(at / 12), month: (at % 12) + 1 }),
      ),
    ],
  ])("that nobody could read are refused: %#", (intakes) => {
    expect(intakesProblem(intakes)).toMatchObject({ field: "intakes" });
  });
});

test("an institution needs a name that is none of a site, and a country that one can apply to", () => {
  const leeds = {
    name: " University of Leeds ",
    country: "GB",
    place: "Leeds",
    zone: "Europe/London",
    website: "",
  } as const;
  expect(checkInstitution(leeds)).toMatchObject({ name: "University of Leeds" });
  expect(checkInstitution({ ...leeds, name: " " })).toMatchObject({ field: "name" });
  expect(checkInstitution({ ...leeds, name: "www.leeds.ac.uk" })).toMatchObject({ field: "name" });
  expect(checkInstitution({ ...leeds, place: "leeds.ac.uk" })).toMatchObject({ field: "place" });
});
