import { describe, expect, test } from "vitest";
import {
  checkQualification,
  checkTestResult,
  type Qualification,
  recordLimits,
  type TestResult,
  workMonthsProblem,
} from "./study-record.ts";

const school: Qualification = {
  country: "NG",
  award: "secondary",
  name: " WASSCE ",
  scale: "wassce",
  grade: " B2 ",
  year: 2022,
  subjects: [{ subject: " Mathematics ", grade: " B3 " }],
};
const ielts: TestResult = {
  test: "ieltsAcademic",
  takenOn: "2026-03-14",
  overall: 6.5,
  components: { writing: 6 },
};
const today = "2026-11-24";

describe("a qualification", () => {
  test("is stored with trimmed texts", () => {
    expect(checkQualification(school)).toEqual({
      ...school,
      name: "WASSCE",
      grade: "B2",
      subjects: [{ subject: "Mathematics", grade: "B3" }],
    });
  });

  test("may have no name, no grade and no subjects", () => {
    expect(checkQualification({ ...school, name: "", grade: "", subjects: [] })).not.toHaveProperty("code");
  });

  test.each([
    ["country", { country: "XX" }],
    ["country", { country: "ng" }],
    ["name", { name: "a\u0000b" }],
    ["name", { name: "x".repeat(recordLimits.name + 1) }],
    ["grade", { grade: "A*" }],
    ["year", { year: 1949 }],
    ["year", { year: 2022.5 }],
    ["year", { year: Number.NaN }],
    ["subjects", { subjects: [{ subject: " ", grade: "B2" }] }],
    ["subjects", { subjects: [{ subject: "Art", grade: "A*" }] }],
    [
      "subjects",
      { subjects: Array.from({ length: recordLimits.subjects + 1 }, () => ({ subject: "Art", grade: "" })) },
    ],
  ])("with an invalid %s is refused with that field: %#", (field, changes) => {
    expect(checkQualification({ ...school, ...changes })).toMatchObject({ code: "form/incomplete", field });
  });
});

describe("a test result", () => {
  test("may lack parts, and may be of today", () => {
    expect(checkTestResult({ ...ielts, components: {}, takenOn: today }, today)).not.toHaveProperty("code");
  });

  test.each([
    ["takenOn", { takenOn: "2026-11-25" }],
    ["takenOn", { takenOn: "2026-02-30" }],
    ["takenOn", { takenOn: "?" }],
    ["takenOn", { takenOn: "1979-12-31" }],
    ["overall", { overall: 6.3 }],
    ["overall", { overall: 92 }],
    ["components", { components: { writing: 9.5 } }],
    ["components", { components: { literacy: 6 } }],
  ])("with an invalid %s is refused with that field: %#", (field, changes) => {
    expect(checkTestResult({ ...ielts, ...changes }, today)).toMatchObject({
      code: "form/incomplete",
      field,
    });
  });
});

test("months of work are a whole number within the limit", () => {
  expect([0, recordLimits.workMonths].map(workMonthsProblem)).toEqual([null, null]);
  for (const months of [-1, 1.5, recordLimits.workMonths + 1, Number.NaN])
    expect(workMonthsProblem(months)).not.toBeNull();
});
