import { describe, expect, test } from "vitest";
import {
  type Fee,
  type IntakeEntry,
  intakesProblem,
  isUpcoming,
  listedTuition,
  startDay,
} from "./programme.ts";

const today = "2026-11-24";
const intake = (year: number, month: number, state: IntakeEntry["state"] = "open") => ({
  year,
  month,
  state,
});

describe("a start", () => {
  test("is coming while it is open, or is not open yet", () => {
    expect(startDay(intake(2027, 1))).toBe("2027-01-01");
    const states = ["open", "notYet", "closed", "full"] as const;
    expect(states.filter((state) => isUpcoming(intake(2027, 1, state), today))).toEqual(["open", "notYet"]);
  });

  test("is not coming from its first day on", () => {
    expect(isUpcoming(intake(2027, 1), "2027-01-01")).toBe(false);
    expect(isUpcoming(intake(2027, 1), "2026-12-31")).toBe(true);
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

  test("is for the whole programme only if none is for a year", () => {
    const [whole, older] = [fee({ per: "whole" }), fee({ per: "whole", academicYear: 2025 })];
    expect(listedTuition([older, whole])).toBe(whole);
    const yearly = fee({ academicYear: 2020 });
    expect(listedTuition([whole, yearly])).toBe(yearly);
  });

  test("is null if only other fees or home fees are known", () => {
    expect(listedTuition([fee({ kind: "deposit" }), fee({ audience: "home" })])).toBeNull();
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

  test("may have a deadline of each kind for each group", () => {
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
  ])("are refused if they are invalid: %#", (intakes) => {
    expect(intakesProblem(intakes)).toMatchObject({ field: "intakes" });
  });
});
