import { describe, expect, test } from "vitest";
import {
  type Equivalence,
  equivalenceOf,
  gradeProblem,
  gradeScaleNames,
  gradeScales,
  isAtLeast,
  isSettled,
} from "./qualification.ts";

test("grades of a scale are those it names, or numbers within it", () => {
  expect(gradeProblem("aLevel", "A*")).toBeNull();
  expect(gradeProblem("aLevel", "a")).toContain("one of A*, A, B");
  expect(gradeProblem("gpa4", "3.75")).toBeNull();
  for (const grade of ["4.01", "3.755", "-1", "1e1", "3,5", "", " 3", "٣"])
    expect([grade, gradeProblem("gpa4", grade)]).not.toEqual([grade, null]);
  expect(gradeProblem("germanGrade", "0.7")).toBe(
    "A grade of German grade (1.0 is best) is a number from 1 to 5, with at most 1 decimals.",
  );
  expect(gradeProblem("ib", "38.5")).toContain("from 0 to 45.");
});

test("named grades come best first on every scale, and each is at least as good as itself", () => {
  for (const name of gradeScaleNames) {
    const scale = gradeScales[name];
    if (!("grades" in scale)) continue;
    const [best = ""] = scale.grades;
    for (const grade of scale.grades)
      expect([grade, isAtLeast(name, best, grade), isAtLeast(name, grade, grade)]).toEqual([
        grade,
        true,
        true,
      ]);
    expect(isAtLeast(name, scale.grades.at(-1) ?? "", best)).toBe(false);
  }
});

test("numbers are compared as numbers, and the German grade the other way round", () => {
  expect(isAtLeast("percent", "100", "60")).toBe(true);
  expect(isAtLeast("percent", "9", "60")).toBe(false);
  expect(isAtLeast("germanGrade", "1.3", "2.0")).toBe(true);
  expect(isAtLeast("germanGrade", "2.3", "2.0")).toBe(false);
});

describe("a table of equivalent grades", () => {
  const row = (fromGrade: string, toGrade: string, years: Partial<Equivalence> = {}): Equivalence => ({
    fromScale: "percent",
    fromGrade,
    toScale: "ukHonours",
    toGrade,
    firstYear: null,
    lastYear: null,
    source: "A table",
    ...years,
  });
  const graded = (grade: string, year = 2024) => ({ scale: "percent", grade, year }) as const;
  const gradeOf = (grade: string, tables: Equivalence[], year = 2024) =>
    equivalenceOf(graded(grade, year), "ukHonours", tables)?.toGrade;
  const table = [row("60", "Upper second (2:1)"), row("70", "First"), row("50", "Lower second (2:2)")];

  test("returns the best grade that is reached, whatever the order of its rows", () => {
    expect(["49.9", "50", "69.9", "70", "100"].map((each) => gradeOf(each, table))).toEqual([
      undefined,
      "Lower second (2:2)",
      "Upper second (2:1)",
      "First",
      "First",
    ]);
  });

  test("has no grade of another scale", () => {
    expect(equivalenceOf(graded("80"), "gpa4", table)).toBeNull();
  });

  test("applies from its first to its last year, both included", () => {
    const tables = [row("60", "First", { firstYear: 2018, lastYear: 2020 })];
    expect([2017, 2018, 2020, 2021].map((year) => gradeOf("60", tables, year))).toEqual([
      undefined,
      "First",
      "First",
      undefined,
    ]);
  });

  test("settles that a grade is below another only if it has a row to that one or from exactly this one", () => {
    const first = { scale: "ukHonours", grade: "First" } as const;
    const short = [row("60", "Upper second (2:1)")];
    expect(isSettled(graded("65"), first, table)).toBe(true);
    expect(isSettled(graded("65"), first, short)).toBe(false);
    expect(isSettled(graded("60.0"), first, short)).toBe(true);
    expect(isSettled(graded("65"), { scale: "percent", grade: "70" }, [])).toBe(true);
    expect(isSettled(graded("65", 2024), first, [row("70", "First", { lastYear: 2020 })])).toBe(false);
  });
});
