import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Answer } from "./answer.ts";
import { answerProgramme, setOutcome } from "./eligibility.ts";
import { outcomes, programmeOutcome } from "./outcome.ts";
import type { Requirement } from "./requirement.ts";
import { aLevels, answer, empty, english, honours, ielts, start } from "./requirement-samples.ts";
import type { TestResult } from "./study-record.ts";

describe("an age", () => {
  const adult: Requirement = { kind: "age", least: 18, most: 30 };
  test.each([
    ["2009-09-01", "met"],
    ["2009-09-02", "missing"],
    ["1996-09-02", "met"],
    ["1996-09-01", "missing"],
    ["", "notKnown"],
  ])("with the date of birth %j is %s", (dateOfBirth, kind) => {
    expect(answer(adult, { dateOfBirth }).kind).toBe(kind);
  });

  test("that is missing can't be met for this start", () => {
    expect(answer(adult, { dateOfBirth: "2012-01-01" })).toEqual({
      kind: "missing",
      shortfalls: [{ what: "age at the start", has: "15", asked: "at least 18" }],
      final: true,
    });
  });
});

describe("years since the last qualification", () => {
  const gap: Requirement = { kind: "gap", mostYears: 2 };
  const finishedIn = (...years: number[]) => ({
    qualifications: years.map((year) => ({ ...aLevels, year })),
  });

  test("count from the latest, and are unknown without one", () => {
    expect(answer(gap, {}).kind).toBe("notKnown");
    expect(answer(gap, finishedIn(2025)).kind).toBe("met");
    expect(answer(gap, finishedIn(2015, 2026)).kind).toBe("met");
  });

  test("need a person if the month of the qualification decides", () => {
    expect(answer(gap, finishedIn(2024))).toEqual({
      kind: "needsPerson",
      why: "The record has the year of the last qualification, and here its month decides.",
    });
  });

  test("that are too many in any month can't be met for this start", () => {
    expect(answer(gap, finishedIn(2023))).toEqual({
      kind: "missing",
      shortfalls: [{ what: "years since the last qualification", has: "3 or 4", asked: "at most 2" }],
      final: true,
    });
  });

  test("need a person if the latest qualification may come after the start", () => {
    expect(answer(gap, finishedIn(2015, 2027)).kind).toBe("met");
    expect(answer(gap, finishedIn(2015, 2027), { at: "2027-01-01" }).kind).toBe("needsPerson");
    expect(answer(gap, finishedIn(2025, 2027), { at: "2027-01-01" }).kind).toBe("met");
  });

  test("don't count from a qualification that is expected after the start", () => {
    expect(answer(gap, finishedIn(2015, 2030)).kind).toBe("missing");
    expect(answer(gap, finishedIn(2030))).toEqual({
      kind: "notKnown",
      enter: "the last qualification before the start",
    });
  });
});

test("work is unknown until it is entered, even as 0 months, and its field needs a person", () => {
  const work: Requirement = { kind: "work", leastMonths: 24, field: "" };
  expect(answer(work, {}).kind).toBe("notKnown");
  expect(answer(work, { workMonths: 0 }).kind).toBe("missing");
  expect(answer(work, { workMonths: 24 }).kind).toBe("met");
  expect(answer({ ...work, field: "nursing" }, { workMonths: 24 }).kind).toBe("needsPerson");
  expect(answer({ ...work, field: "nursing" }, { workMonths: 23 }).kind).toBe("missing");
  expect(answer({ ...work, leastMonths: 2 }, { workMonths: 1 })).toMatchObject({
    shortfalls: [{ has: "1 month", asked: "2 months" }],
  });
});

test("a text always needs a person", () => {
  expect(answer({ kind: "text", text: "A portfolio" }, { tests: [ielts] }).kind).toBe("needsPerson");
});

describe("an outcome", () => {
  const met: Answer = { kind: "met" };
  const gap: Answer = { kind: "missing", shortfalls: [], final: false };
  const never: Answer = { ...gap, final: true };
  const unknown: Answer = { kind: "notKnown", enter: "" };
  const person: Answer = { kind: "needsPerson", why: "" };

  test.each([
    [[met, met], "mayEnter"],
    [[met, gap], "gap"],
    [[gap, gap], "no"],
    [[never], "no"],
    [[met, unknown], "notKnown"],
    [[met, person], "notKnown"],
    [[gap, unknown], "notKnown"],
    [[never, unknown], "no"],
  ] as const)("depends on all answers of a set: %#", (answers, outcome) => {
    expect(setOutcome(answers)).toBe(outcome);
  });

  test("is that of a programme's best set, and unknown without sets", () => {
    expect(programmeOutcome([])).toBe("notKnown");
    expect(programmeOutcome(["no", "gap", "notKnown"])).toBe("gap");
    expect(programmeOutcome(["no", "notKnown"])).toBe("notKnown");
    expect(programmeOutcome(["no", "mayEnter"])).toBe("mayEnter");
  });

  test("is unknown for a student who has entered nothing", () => {
    const requirements: Requirement[] = [
      english,
      honours,
      { kind: "subject", subject: "Art", scale: "aLevel", grade: "A" },
      { kind: "age", least: 18, most: null },
      { kind: "gap", mostYears: 1 },
      { kind: "work", leastMonths: 12, field: "" },
      { kind: "text", text: "A portfolio" },
    ];
    for (const requirement of requirements)
      expect(answerProgramme([[requirement]], empty, start, []).outcome).toBe("notKnown");
  });

  test("never gets worse with a further set", () => {
    const set = fc.array(fc.constantFrom(met, gap, never, unknown, person), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(set, { minLength: 1, maxLength: 4 }), set, (sets, further) => {
        const rank = (all: readonly (readonly Answer[])[]) =>
          outcomes.indexOf(programmeOutcome(all.map(setOutcome)));
        return rank([...sets, further]) <= rank(sets);
      }),
    );
  });

  test("never gets worse with a further sitting of the same test", () => {
    const sitting = fc.record({
      overall: fc.integer({ min: 8, max: 18 }).map((half) => half / 2),
      writing: fc.option(fc.integer({ min: 8, max: 18 }).map((half) => half / 2)),
      takenOn: fc.constantFrom("2024-01-01", "2026-03-14"),
    });
    const tests = (sittings: readonly { overall: number; writing: number | null; takenOn: string }[]) =>
      sittings.map(
        ({ overall, writing, takenOn }): TestResult => ({
          test: "ieltsAcademic",
          takenOn,
          overall,
          components: writing === null ? {} : { writing },
        }),
      );
    const order = ["met", "notKnown", "needsPerson", "missing"];
    fc.assert(
      fc.property(fc.array(sitting, { minLength: 1, maxLength: 4 }), sitting, (before, further) => {
        const rank = (all: typeof before) => order.indexOf(answer(english, { tests: tests(all) }).kind);
        return rank([...before, further]) <= rank(before);
      }),
    );
  });
});
