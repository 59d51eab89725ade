import { describe, expect, test } from "vitest";
import type { Requirement } from "./requirement.ts";
import { aLevels, answer, degree } from "./requirement-samples.ts";
import type { Qualification } from "./study-record.ts";

describe("a subject", () => {
  const maths: Requirement = { kind: "subject", subject: "Mathematics", scale: "aLevel", grade: "B" };
  const recordWith = (subject: string, grade = "A", changes: Partial<Qualification> = {}) => ({
    qualifications: [{ ...aLevels, subjects: [{ subject, grade }], ...changes }],
  });

  test("is found whatever its letter case and accents, with its own grade", () => {
    expect(answer(maths, recordWith(" mathématics ")).kind).toBe("met");
    expect(answer(maths, recordWith("Mathematics", "C"))).toMatchObject({
      kind: "missing",
      shortfalls: [{ what: "Mathematics", has: "C", asked: "B" }],
    });
    expect(answer(maths, recordWith("Mathematics", "")).kind).toBe("notKnown");
  });

  test("under another name needs a person, and isn't missing", () => {
    for (const name of ["Maths", "Further Mathematics", "Core maths"])
      expect([name, answer(maths, recordWith(name)).kind]).toEqual([name, "needsPerson"]);
    expect(answer(maths, recordWith("Art")).kind).toBe("missing");
  });

  test("with a short name needs a person too if a longer name contains it", () => {
    const kindOf = (subject: string, entered: string) =>
      answer({ ...maths, subject }, recordWith(entered)).kind;
    for (const [subject, entered] of [
      ["Art", "Fine Art"],
      ["Art", "Art and Design"],
      ["Art", "Visual Arts"],
      ["Business Law", "Law"],
      ["ICT", "Information technology (ICT)"],
      ["IT", "IT for business"],
    ] as const)
      expect([entered, kindOf(subject, entered)]).toEqual([entered, "needsPerson"]);
    for (const [subject, entered] of [
      ["History of Art", "Business of the Law"],
      ["Physics with Chemistry", "Law with French"],
      ["Law and Society", "Art and Design"],
      ["Physics A", "Law A"],
      ["Biology HL", "Physics HL"],
      ["Italian", "IT"],
    ] as const)
      expect([entered, kindOf(subject, entered)]).toEqual([entered, "missing"]);
  });

  const nsc: Qualification = {
    ...aLevels,
    country: "ZA",
    scale: "nsc",
    grade: "",
    subjects: [{ subject: "Life Sciences", grade: "70" }],
  };
  const biology: Requirement = { ...maths, subject: "Biology" };

  test("on another scale than all entered subjects needs a person, and isn't missing", () => {
    const kindOf = (...qualifications: Qualification[]) => answer(biology, { qualifications }).kind;
    expect(answer(biology, { qualifications: [nsc] })).toEqual({
      kind: "needsPerson",
      why: "It asks for Biology on another scale (A-level) than the record's subjects have. A person reads whether one of them counts.",
    });
    expect(kindOf(nsc, degree)).toBe("needsPerson");
    expect(kindOf(nsc, aLevels)).toBe("missing");
    expect(kindOf(nsc, { ...aLevels, subjects: [] })).toBe("notKnown");
  });

  test("without a required grade needs a person too if all entered subjects are on another scale", () => {
    const anyGrade: Requirement = { ...biology, grade: null };
    const kindOf = (...qualifications: Qualification[]) => answer(anyGrade, { qualifications }).kind;
    expect(answer(anyGrade, { qualifications: [nsc] })).toEqual({
      kind: "needsPerson",
      why: "It asks for Biology on another scale (A-level) than the record's subjects have. A person reads whether one of them counts.",
    });
    expect(kindOf(aLevels)).toBe("missing");
    expect(kindOf(nsc, aLevels)).toBe("missing");
    expect(kindOf(nsc, degree)).toBe("notKnown");
    expect(kindOf({ ...nsc, subjects: [{ subject: "Biology", grade: "" }] })).toBe("met");
  });

  test("is unknown while a qualification on its scale has no subjects", () => {
    const { qualifications } = recordWith("Art");
    expect(answer(maths, {}).kind).toBe("notKnown");
    expect(answer(maths, { qualifications: [...qualifications, { ...aLevels, subjects: [] }] }).kind).toBe(
      "notKnown",
    );
    expect(answer(maths, { qualifications: [...qualifications, degree] }).kind).toBe("missing");
    expect(answer({ ...maths, grade: null }, { qualifications: [...qualifications, degree] }).kind).toBe(
      "notKnown",
    );
  });

  test("in a qualification of the start's own year may come too late for a start in January", () => {
    const expected = recordWith("Mathematics", "A", { year: 2027 });
    expect(answer(maths, expected).kind).toBe("met");
    expect(answer(maths, expected, { at: "2027-01-01" }).kind).toBe("needsPerson");
  });

  test("in a qualification that is expected after the start can't be met for it", () => {
    expect(answer(maths, recordWith("Mathematics", "A", { year: 2028 }))).toMatchObject({
      kind: "missing",
      final: true,
    });
  });
});

describe("a number of subjects", () => {
  const three: Requirement = { kind: "subjects", least: 3, scale: "aLevel", grade: "B" };
  const qualificationWith = (
    grades: readonly string[],
    changes: Partial<Qualification> = {},
  ): Qualification => ({
    ...aLevels,
    subjects: grades.map((grade, at) => ({ subject: `Subject ${at}`, grade })),
    ...changes,
  });
  const kindOf = (...qualifications: Qualification[]) => answer(three, { qualifications }).kind;

  test("at a grade is met by that many at it or better, whatever the others are", () => {
    expect(kindOf(qualificationWith(["A", "B", "B"]))).toBe("met");
    expect(kindOf(qualificationWith(["D", "A", "B", "B"]))).toBe("met");
    expect(answer(three, { qualifications: [qualificationWith(["A", "B", "C"])] })).toEqual({
      kind: "missing",
      shortfalls: [{ what: "subjects with B or better", has: "2", asked: "3" }],
      final: false,
    });
  });

  test("is unknown while a decisive grade or subject is missing", () => {
    expect(answer(three, { qualifications: [qualificationWith(["A", "B", ""])] })).toEqual({
      kind: "notKnown",
      enter: "the grade of the Subject 2",
    });
    expect(answer(three, { qualifications: [qualificationWith(["A", "B"])] })).toEqual({
      kind: "notKnown",
      enter: "all subjects of the qualifications",
    });
    expect(kindOf(qualificationWith(["A", "C"]))).toBe("missing");
    expect(kindOf(qualificationWith([]))).toBe("notKnown");
    expect(kindOf()).toBe("notKnown");
  });

  test("counts a subject once, and only those of one qualification", () => {
    const twice = qualificationWith(["A", "B"]).subjects.concat({ subject: "subject 1", grade: "A" });
    expect(kindOf(qualificationWith([], { subjects: twice }))).toBe("notKnown");
    expect(
      kindOf(qualificationWith(["A", "B", "E"]), qualificationWith(["A", "D", "D"], { year: 2026 })),
    ).toBe("missing");
  });

  test("on another scale is converted only by the consultancy's table", () => {
    const wassce = qualificationWith(["A1", "B2", "B3"], { scale: "wassce" });
    const row = { fromScale: "wassce", fromGrade: "B3", toScale: "aLevel", toGrade: "B" } as const;
    const tables = [{ ...row, firstYear: null, lastYear: null, source: "UK ENIC, 2026" }];
    expect(kindOf(wassce)).toBe("needsPerson");
    expect(answer(three, { qualifications: [wassce] }, { tables })).toEqual({
      kind: "met",
      why: "A1 counts as B by “UK ENIC, 2026”.",
    });
    // A degree without subjects says nothing about school.
    expect(kindOf(qualificationWith(["A", "B", "C"]), degree)).toBe("missing");
  });

  test("in a qualification that is expected after the start can't be met for it", () => {
    expect(
      answer(three, { qualifications: [qualificationWith(["A", "B", "B"], { year: 2028 })] }),
    ).toMatchObject({
      kind: "missing",
      final: true,
    });
  });
});
