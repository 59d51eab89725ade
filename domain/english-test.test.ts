import { expect, test } from "vitest";
import {
  componentsProblem,
  englishTestFacts,
  englishTests,
  isEnglishTest,
  lastStartFor,
  overallProblem,
  scoreText,
} from "./english-test.ts";

test("the ends of every scale are scores, and numbers beyond them or between its steps are not", () => {
  for (const name of englishTests) {
    const { overall, component, components } = englishTestFacts[name];
    for (const [scale, problem] of [
      [overall, (score: number) => overallProblem(name, score)],
      [component, (score: number) => componentsProblem(name, { [components[0]]: score })],
    ] as const) {
      expect([name, problem(scale.least), problem(scale.most)]).toEqual([name, null, null]);
      for (const score of [
        scale.least - scale.step,
        scale.most + scale.step,
        scale.least + scale.step / 2,
        Number.NaN,
        Number.POSITIVE_INFINITY,
      ])
        expect([name, score, problem(score) === null]).toEqual([name, score, false]);
    }
  }
});

test("refuses a part of another test, and a part of no test", () => {
  expect(componentsProblem("duolingo", { writing: 100 })).toContain('has no part "writing"');
  expect(componentsProblem("ieltsAcademic", { useOfEnglish: 6 })).toContain('"use of English"');
  expect(componentsProblem("ieltsAcademic", { constructor: 6 })).not.toBeNull();
  expect(componentsProblem("ieltsAcademic", {})).toBeNull();
});

test("formats a score as its test does", () => {
  expect(scoreText("ieltsAcademic", 7)).toBe("7.0");
  expect(scoreText("toefl", 92)).toBe("92");
  expect(scoreText("duolingo", 115)).toBe("115");
});

test("recognises only the names in the list as tests", () => {
  expect(["toefl", "constructor", "IELTS", ""].map(isEnglishTest)).toEqual([true, false, false, false]);
});

test("the last start for a result is an existing day", () => {
  expect(lastStartFor("2026-03-14", 2)).toBe("2028-03-14");
  expect(lastStartFor("2024-02-29", 2)).toBe("2026-02-28");
  expect(lastStartFor("2024-02-29", 4)).toBe("2028-02-29");
});
