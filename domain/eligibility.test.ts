import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerProgramme, outcomes, programmeOutcome, setOutcome } from "./eligibility.ts";
import type { Equivalence } from "./qualification.ts";
import type { Requirement } from "./requirement.ts";
import { type Answer, answerRequirement } from "./requirement-answer.ts";
import type { Qualification, StudyRecord, TestResult } from "./study-record.ts";

const start = "2027-09-01";
const empty: StudyRecord = { dateOfBirth: "", workMonths: null, qualifications: [], tests: [] };
const aLevels: Qualification = {
  country: "GB",
  award: "secondary",
  name: "A-levels",
  scale: "aLevel",
  grade: "B",
  year: 2025,
  subjects: [
    { subject: "Mathematics", grade: "A" },
    { subject: "Physics", grade: "" },
  ],
};
const degree: Qualification = {
  country: "NG",
  award: "bachelor",
  name: "BSc",
  scale: "gpa5",
  grade: "4.2",
  year: 2026,
  subjects: [],
};
const ielts: TestResult = {
  test: "ieltsAcademic",
  takenOn: "2026-03-14",
  overall: 6.5,
  components: { listening: 7, reading: 6.5, writing: 6, speaking: 6.5 },
};
const english: Requirement = {
  kind: "english",
  test: "ieltsAcademic",
  overall: 6.5,
  components: { writing: 6 },
  years: 2,
};
const honours: Requirement = {
  kind: "qualification",
  country: null,
  award: "bachelor",
  scale: "ukHonours",
  grade: "Upper second (2:1)",
};

const answer = (
  requirement: Requirement,
  record: Partial<StudyRecord>,
  { at = start, tables = [] }: { at?: string; tables?: readonly Equivalence[] } = {},
): Answer => answerRequirement(requirement, { ...empty, ...record }, at, tables);
const withTest = (changes: Partial<TestResult>) => ({ tests: [{ ...ielts, ...changes }] });

describe("an English test", () => {
  test("that has every score that is asked for is met", () => {
    expect(answer(english, { tests: [ielts] })).toEqual({ kind: "met" });
  });

  test("without the part that is asked for isn't known, however good it is overall", () => {
    expect(answer(english, withTest({ overall: 9, components: {} }))).toEqual({
      kind: "notKnown",
      enter: "your score of writing in IELTS Academic",
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
    const asked = { ...english, components: { writing: 6.5, speaking: 7 } };
    expect(answer(asked, { tests: [ielts] })).toMatchObject({
      kind: "missing",
      shortfalls: [
        { what: "writing", has: "6.0", asked: "6.5" },
        { what: "speaking", has: "6.5", asked: "7.0" },
      ],
    });
  });

  test("is too old for a start after two years, and not on the day itself", () => {
    const taken = withTest({ takenOn: "2025-09-01" });
    expect(answer(english, taken).kind).toBe("met");
    expect(answer(english, withTest({ takenOn: "2025-08-31" }))).toMatchObject({
      kind: "missing",
      shortfalls: [{ what: "IELTS Academic", has: "taken on 2025-08-31", asked: "at most 2 years old" }],
      final: false,
    });
    expect(answer(english, taken, { at: "2028-01-01" }).kind).toBe("missing");
    expect(answer({ ...english, years: 3 }, taken, { at: "2028-01-01" }).kind).toBe("met");
  });

  test("of 29 February counts until the last day of the month two years later", () => {
    const taken = withTest({ takenOn: "2024-02-29" });
    expect(answer(english, taken, { at: "2026-02-28" }).kind).toBe("met");
    expect(answer(english, taken, { at: "2026-03-01" }).kind).toBe("missing");
  });

  test("of General Training never stands for Academic, nor any test for another", () => {
    for (const other of ["ieltsGeneral", "toefl", "pte"] as const) {
      const taken = answer(english, withTest({ test: other, overall: 90, components: { writing: 90 } }));
      expect(taken.kind).toBe("needsPerson");
    }
    expect(answer(english, {})).toEqual({ kind: "notKnown", enter: "your English test" });
  });

  test("is judged by the best of several sittings, and scores of two are never joined", () => {
    const early = { ...ielts, overall: 7, components: { writing: 5.5 } };
    const late = { ...ielts, overall: 6, components: { writing: 7 } };
    expect(answer(english, { tests: [early, late] }).kind).toBe("missing");
    expect(answer(english, { tests: [early, late, ielts] }).kind).toBe("met");
    expect(answer(english, { tests: [late, { ...ielts, components: {} }] }).kind).toBe("notKnown");
  });
});

describe("a qualification", () => {
  const school: Requirement = { ...honours, award: "secondary", scale: "aLevel", grade: "B" };

  test("on the asked scale is compared by its grades", () => {
    expect(answer(school, { qualifications: [aLevels] }).kind).toBe("met");
    expect(answer({ ...school, grade: "A" }, { qualifications: [aLevels] })).toMatchObject({
      kind: "missing",
      shortfalls: [{ has: "B", asked: "A" }],
      final: false,
    });
  });

  test("whose grade nobody has entered isn't known, and is met where no grade is asked for", () => {
    const qualifications = [{ ...aLevels, grade: "" }];
    expect(answer(school, { qualifications }).kind).toBe("notKnown");
    expect(answer({ ...school, grade: null }, { qualifications }).kind).toBe("met");
  });

  test("isn't known while there is none, and missing where only lower ones are there", () => {
    expect(answer(honours, {})).toEqual({ kind: "notKnown", enter: "your qualifications" });
    expect(answer(honours, { qualifications: [aLevels] })).toMatchObject({
      kind: "missing",
      shortfalls: [{ has: "school-leaving qualification", asked: "bachelor's degree" }],
    });
  });

  test("that was left out below a higher one isn't known, not missing", () => {
    expect(answer(school, { qualifications: [degree] })).toEqual({
      kind: "notKnown",
      enter: "your school-leaving qualification",
    });
  });

  test("that is expected after the start can't be met for it any more", () => {
    const qualifications = [{ ...aLevels, year: 2028 }];
    expect(answer(school, { qualifications })).toMatchObject({
      kind: "missing",
      shortfalls: [{ has: "expected in 2028", asked: "by 2027" }],
      final: true,
    });
    expect(answer(school, { qualifications: [{ ...aLevels, year: 2027 }] }).kind).toBe("met");
    expect(answer(school, { qualifications }, { at: "2028-01-01" }).kind).toBe("met");
  });

  test("from another country is for a person to judge", () => {
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

  test("counts as what the table says of the best grade that it reaches", () => {
    expect(answer(honours, graded("4.9"), { tables: table }).kind).toBe("met");
    expect(answer(honours, graded("3.5"), { tables: table }).kind).toBe("met");
    expect(answer(honours, graded("3.49"), { tables: table })).toMatchObject({
      kind: "missing",
      shortfalls: [{ has: "3.49, which counts as Lower second (2:2)", asked: "Upper second (2:1)" }],
    });
    // The table doesn't say what counts as less than its last row.
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

  test("answers by the best of several", () => {
    const qualifications = [
      { ...degree, scale: "ukHonours" as const, grade: "Third" },
      { ...degree, scale: "ukHonours" as const, grade: "First" },
    ];
    expect(answer(honours, { qualifications }).kind).toBe("met");
  });
});

describe("a subject", () => {
  const maths: Requirement = { kind: "subject", subject: "Mathematics", scale: "aLevel", grade: "B" };
  const of = (subject: string, grade = "A", changes: Partial<Qualification> = {}) => ({
    qualifications: [{ ...aLevels, subjects: [{ subject, grade }], ...changes }],
  });

  test("is found whatever its letter case and accents, with its own grade", () => {
    expect(answer(maths, of(" mathématics ")).kind).toBe("met");
    expect(answer(maths, of("Mathematics", "C"))).toMatchObject({
      kind: "missing",
      shortfalls: [{ what: "Mathematics", has: "C", asked: "B" }],
    });
    expect(answer(maths, of("Mathematics", "")).kind).toBe("notKnown");
  });

  test("under another name is for a person to read, not missing", () => {
    for (const name of ["Maths", "Further Mathematics", "Core maths"])
      expect([name, answer(maths, of(name)).kind]).toEqual([name, "needsPerson"]);
    expect(answer(maths, of("Art")).kind).toBe("missing");
  });

  test("isn't known while a qualification on its scale has no subjects entered", () => {
    const { qualifications } = of("Art");
    expect(answer(maths, {}).kind).toBe("notKnown");
    expect(answer(maths, { qualifications: [...qualifications, { ...aLevels, subjects: [] }] }).kind).toBe(
      "notKnown",
    );
    expect(answer(maths, { qualifications: [...qualifications, degree] }).kind).toBe("missing");
    expect(answer({ ...maths, grade: null }, { qualifications: [...qualifications, degree] }).kind).toBe(
      "notKnown",
    );
  });

  test("of a qualification that is expected after the start can't be met for it", () => {
    expect(answer(maths, of("Mathematics", "A", { year: 2028 }))).toMatchObject({
      kind: "missing",
      final: true,
    });
  });
});

describe("an age", () => {
  const adult: Requirement = { kind: "age", least: 18, most: 30 };
  test.each([
    ["2009-09-01", "met"],
    ["2009-09-02", "missing"],
    ["1996-09-02", "met"],
    ["1996-09-01", "missing"],
    ["", "notKnown"],
  ])("of somebody born on %s answers %s", (dateOfBirth, kind) => {
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

test("years since the last qualification count from the latest, and from none while there is none", () => {
  const gap: Requirement = { kind: "gap", mostYears: 2 };
  expect(answer(gap, {}).kind).toBe("notKnown");
  expect(answer(gap, { qualifications: [aLevels] }).kind).toBe("met");
  expect(answer(gap, { qualifications: [{ ...aLevels, year: 2015 }, degree] }).kind).toBe("met");
  expect(answer(gap, { qualifications: [{ ...aLevels, year: 2024 }] })).toMatchObject({
    kind: "missing",
    final: true,
  });
});

test("work is unknown until it is entered, also 0 months of it, and its field is for a person", () => {
  const work: Requirement = { kind: "work", leastMonths: 24, field: "" };
  expect(answer(work, {}).kind).toBe("notKnown");
  expect(answer(work, { workMonths: 0 }).kind).toBe("missing");
  expect(answer(work, { workMonths: 24 }).kind).toBe("met");
  expect(answer({ ...work, field: "nursing" }, { workMonths: 24 }).kind).toBe("needsPerson");
  expect(answer({ ...work, field: "nursing" }, { workMonths: 23 }).kind).toBe("missing");
});

test("a text is never judged by rule", () => {
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
  ] as const)("of a set is decided by all of its answers: %#", (answers, outcome) => {
    expect(setOutcome(answers)).toBe(outcome);
  });

  test("of a programme is its best set's, and unknown without sets", () => {
    expect(programmeOutcome([])).toBe("notKnown");
    expect(programmeOutcome(["no", "gap", "notKnown"])).toBe("gap");
    expect(programmeOutcome(["no", "notKnown"])).toBe("notKnown");
    expect(programmeOutcome(["no", "mayEnter"])).toBe("mayEnter");
  });

  test("of somebody who has entered nothing is never a no, unless nothing can be known", () => {
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

  test("never gets worse by a further set", () => {
    const set = fc.array(fc.constantFrom(met, gap, never, unknown, person), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(set, { minLength: 1, maxLength: 4 }), set, (sets, further) => {
        const rank = (all: readonly (readonly Answer[])[]) =>
          outcomes.indexOf(programmeOutcome(all.map(setOutcome)));
        return rank([...sets, further]) <= rank(sets);
      }),
    );
  });

  test("never gets worse by a further sitting of the same test", () => {
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
