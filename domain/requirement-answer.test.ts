import { describe, expect, test } from "vitest";
import type { Equivalence } from "./qualification.ts";
import type { Requirement } from "./requirement.ts";
import { relevantPart } from "./requirement-answer.ts";
import { aLevels, answer, degree, empty, english, honours, ielts } from "./requirement-samples.ts";
import type { TestResult } from "./study-record.ts";

const withTest = (changes: Partial<TestResult>) => ({ tests: [{ ...ielts, ...changes }] });

describe("an English test", () => {
  test("with every required score is met", () => {
    expect(answer(english, { tests: [ielts] })).toEqual({ kind: "met" });
  });

  test("without a required part is unknown, however good it is overall", () => {
    expect(answer(english, withTest({ overall: 9, components: {} }))).toEqual({
      kind: "notKnown",
      enter: "the score of writing in IELTS Academic",
    });
  });

  test("that is too low overall is missing, whatever its parts are", () => {
    expect(answer(english, withTest({ overall: 6, components: {} }))).toEqual({
      kind: "missing",
      shortfalls: [{ what: "overall", has: "6.0", asked: "6.5" }],
      final: false,
    });
  });

  test("names each part that is too low with its own scores", () => {
    const strict = { ...english, components: { writing: 6.5, speaking: 7 } };
    expect(answer(strict, { tests: [ielts] })).toMatchObject({
      kind: "missing",
      shortfalls: [
        { what: "writing", has: "6.0", asked: "6.5" },
        { what: "speaking", has: "6.5", asked: "7.0" },
      ],
    });
  });

  test("is too old for a start after two years, and not on the day itself", () => {
    const record = withTest({ takenOn: "2025-09-01" });
    expect(answer(english, record).kind).toBe("met");
    expect(answer(english, withTest({ takenOn: "2025-08-31" }))).toMatchObject({
      kind: "missing",
      shortfalls: [{ what: "IELTS Academic", has: "taken on 31 August 2025", asked: "at most 2 years old" }],
      final: false,
    });
    expect(answer({ ...english, years: 1 }, record)).toMatchObject({
      shortfalls: [{ asked: "at most 1 year old" }],
    });
    expect(answer(english, record, { at: "2028-01-01" }).kind).toBe("missing");
    expect(answer({ ...english, years: 3 }, record, { at: "2028-01-01" }).kind).toBe("met");
  });

  test("taken on 29 February counts until the last day of the month two years later", () => {
    const record = withTest({ takenOn: "2024-02-29" });
    expect(answer(english, record, { at: "2026-02-28" }).kind).toBe("met");
    expect(answer(english, record, { at: "2026-03-01" }).kind).toBe("missing");
  });

  test("never counts as another test, such as General Training as Academic", () => {
    for (const other of ["ieltsGeneral", "toefl", "pte"] as const) {
      const { kind } = answer(english, withTest({ test: other, overall: 90, components: { writing: 90 } }));
      expect(kind).toBe("needsPerson");
    }
    expect(answer(english, {})).toEqual({ kind: "notKnown", enter: "the English test" });
  });

  test("counts by the best of several sittings, whose scores are never combined", () => {
    const early = { ...ielts, overall: 7, components: { writing: 5.5 } };
    const late = { ...ielts, overall: 6, components: { writing: 7 } };
    expect(answer(english, { tests: [early, late] }).kind).toBe("missing");
    expect(answer(english, { tests: [early, late, ielts] }).kind).toBe("met");
    expect(answer(english, { tests: [late, { ...ielts, components: {} }] }).kind).toBe("notKnown");
  });
});

test("answers depend on the start's half-year while a qualification may come after the first start", () => {
  const record = { ...empty, qualifications: [{ ...aLevels, year: 2027 }] };
  for (const [first, part] of [
    ["2026-09-01", "halfYear"],
    ["2027-01-01", "halfYear"],
    ["2027-09-01", "none"],
    ["2028-01-01", "none"],
  ] as const)
    expect([first, relevantPart(honours, record, first)]).toEqual([first, part]);
});

describe("a qualification", () => {
  const school: Requirement = { ...honours, award: "secondary", scale: "aLevel", grade: "B" };

  test("on the required scale is compared by its grade", () => {
    expect(answer(school, { qualifications: [aLevels] }).kind).toBe("met");
    expect(answer({ ...school, grade: "A" }, { qualifications: [aLevels] })).toMatchObject({
      kind: "missing",
      shortfalls: [{ has: "B", asked: "A" }],
      final: false,
    });
  });

  test("without a grade is unknown, and met if no grade is required", () => {
    const qualifications = [{ ...aLevels, grade: "" }];
    expect(answer(school, { qualifications }).kind).toBe("notKnown");
    expect(answer({ ...school, grade: null }, { qualifications }).kind).toBe("met");
  });

  test("is unknown without any, and missing with only lower ones", () => {
    expect(answer(honours, {})).toEqual({ kind: "notKnown", enter: "the qualifications" });
    expect(answer(honours, { qualifications: [aLevels] })).toMatchObject({
      kind: "missing",
      shortfalls: [{ has: "school-leaving qualification", asked: "bachelor's degree" }],
    });
  });

  test("is unknown, not missing, if there is only a higher one", () => {
    expect(answer(school, { qualifications: [degree] })).toEqual({
      kind: "notKnown",
      enter: "the school-leaving qualification",
    });
  });

  test("that is expected after the start can't be met for it", () => {
    const qualifications = [{ ...aLevels, year: 2028 }];
    expect(answer(school, { qualifications })).toMatchObject({
      kind: "missing",
      shortfalls: [{ has: "expected in 2028", asked: "by 2027" }],
      final: true,
    });
    expect(answer(school, { qualifications }, { at: "2029-01-01" }).kind).toBe("met");
  });

  test("from the start's own year is in time for starts in its second half, and needs a person before", () => {
    const qualifications = [{ ...aLevels, year: 2027 }];
    expect(answer(school, { qualifications }, { at: "2027-09-01" }).kind).toBe("met");
    expect(answer(school, { qualifications }, { at: "2027-07-01" }).kind).toBe("met");
    for (const at of ["2027-01-01", "2027-06-01"])
      expect(answer(school, { qualifications }, { at })).toEqual({
        kind: "needsPerson",
        why: "It is from 2027, the year of the start, and may come only after it.",
      });
    expect(answer({ ...school, grade: "A" }, { qualifications }, { at: "2027-01-01" }).kind).toBe("missing");
    expect(answer(school, { qualifications: [{ ...aLevels, year: 2026 }] }, { at: "2027-01-01" }).kind).toBe(
      "met",
    );
  });

  test("with exams at the end of the year is never certain to be in time for a start in that year", () => {
    const matric: Requirement = { ...school, scale: "nsc", grade: "60" };
    const qualifications = [{ ...aLevels, country: "ZA", scale: "nsc" as const, grade: "71", year: 2027 }];
    expect(answer(matric, { qualifications }).kind).toBe("needsPerson");
    expect(answer(matric, { qualifications }, { at: "2028-01-01" }).kind).toBe("met");
  });

  test("from another country needs a person", () => {
    expect(answer({ ...school, country: "IE" }, { qualifications: [aLevels] }).kind).toBe("needsPerson");
    expect(answer({ ...school, country: "GB" }, { qualifications: [aLevels] }).kind).toBe("met");
  });

  const row = (fromGrade: string, toGrade: string, years: Partial<Equivalence> = {}): Equivalence => ({
    fromScale: "gpa5",
    fromGrade,
    toScale: "ukHonours",
    toGrade,
    firstYear: null,
    lastYear: null,
    source: "UK ENIC, 2026",
    ...years,
  });
  const graded = (grade: string, year = 2026) => ({ qualifications: [{ ...degree, grade, year }] });
  const table = [row("4.5", "First"), row("3.5", "Upper second (2:1)"), row("2.4", "Lower second (2:2)")];

  test("on another scale is never converted without the consultancy's own table", () => {
    expect(answer(honours, graded("5.0")).kind).toBe("needsPerson");
    const backwards = table.map((each) => ({
      ...each,
      fromScale: each.toScale,
      fromGrade: each.toGrade,
      toScale: each.fromScale,
      toGrade: each.fromGrade,
    }));
    expect(answer(honours, graded("5.0"), { tables: backwards }).kind).toBe("needsPerson");
  });

  test("counts by the table's best row that it reaches", () => {
    expect(answer(honours, graded("4.9"), { tables: table })).toEqual({
      kind: "met",
      why: "4.9 counts as First by “UK ENIC, 2026”.",
    });
    expect(answer(honours, graded("3.5"), { tables: table }).kind).toBe("met");
    expect(answer(honours, graded("3.49"), { tables: table })).toMatchObject({
      kind: "missing",
      shortfalls: [
        { has: "3.49, which counts as Lower second (2:2) by “UK ENIC, 2026”", asked: "Upper second (2:1)" },
      ],
    });
    // The table has no row for grades below its last one.
    expect(answer(honours, graded("1.0"), { tables: table }).kind).toBe("needsPerson");
  });

  test("counts by the table of its own year", () => {
    const tables = [
      row("4.0", "Upper second (2:1)", { lastYear: 2019 }),
      row("3.5", "Upper second (2:1)", { firstYear: 2020 }),
    ];
    expect(answer(honours, graded("3.6", 2020), { tables }).kind).toBe("met");
    expect(answer(honours, graded("3.6", 2019), { tables }).kind).toBe("needsPerson");
    expect(answer(honours, graded("4.0", 2019), { tables }).kind).toBe("met");
  });

  test("above everything in the table may count as more than the table says", () => {
    const tables = [row("2.4", "Lower second (2:2)")];
    expect(answer(honours, graded("4.9"), { tables }).kind).toBe("needsPerson");
    expect(answer(honours, graded("2.4"), { tables }).kind).toBe("missing");
  });

  test("counts by the best of several", () => {
    const qualifications = [
      { ...degree, scale: "ukHonours" as const, grade: "Third" },
      { ...degree, scale: "ukHonours" as const, grade: "First" },
    ];
    expect(answer(honours, { qualifications }).kind).toBe("met");
  });
});
