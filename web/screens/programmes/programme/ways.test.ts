import { describe, expect, test } from "vitest";
import { answerProgramme } from "#domain/eligibility.ts";
import type { EnglishTest } from "#domain/english-test.ts";
import { type Requirement, requirementWords } from "#domain/requirement.ts";
import type { StudyRecord } from "#domain/study-record.ts";
import { answersOfTests, waysOf } from "./ways.ts";

const start = "2027-09-01";
const nobody: StudyRecord = { dateOfBirth: "", workMonths: null, qualifications: [], tests: [] };
const english = (test: EnglishTest, overall: number): Requirement => ({
  kind: "english",
  test,
  overall,
  components: {},
  years: 2,
});
const [ielts, toefl, pte] = [english("ieltsAcademic", 6.5), english("toefl", 90), english("pte", 62)];
const degree: Requirement = {
  kind: "qualification",
  country: null,
  award: "bachelor",
  scale: "ukHonours",
  grade: null,
};
const work: Requirement = { kind: "work", leastMonths: 24, field: "" };

const wordsOf = (sets: Requirement[][]) =>
  waysOf(sets, undefined).map(({ parts }) =>
    parts.map((part) => part.map(({ requirement }) => requirementWords(requirement).split(",")[0])),
  );
const ieltsTaken = (overall: number): StudyRecord => ({
  ...nobody,
  tests: [{ test: "ieltsAcademic", takenOn: "2027-01-10", overall, components: {} }],
});

/** Returns the only way of the sets, with the answers of a record. */
function onlyWay(sets: Requirement[][], record: StudyRecord) {
  const [way, ...others] = waysOf(sets, answerProgramme(sets, record, start, []).sets);
  if (!way || others.length > 0) throw new Error("There is more than one way, or none.");
  return way;
}

/** Returns the kinds of the answers to the choice of tests of the only way. */
function answerKindsOf(sets: Requirement[][], record: StudyRecord) {
  const tests = onlyWay(sets, record).parts.find((part) => part.length > 1);
  if (!tests) throw new Error("There is no choice of tests.");
  const { beside, below } = answersOfTests(tests);
  return { beside: beside.map((answer) => answer?.kind), below: below?.kind };
}

describe("ways", () => {
  test("sets that differ only in their English test are one way with a choice of tests", () => {
    expect(
      wordsOf([
        [degree, ielts],
        [work, ielts],
        [toefl, degree],
        [work, pte],
        [degree, pte],
      ]),
    ).toEqual([
      [["Bachelor's degree"], ["IELTS Academic 6.5", "TOEFL iBT 90", "PTE Academic 62"]],
      [["24 months of work experience"], ["IELTS Academic 6.5", "PTE Academic 62"]],
    ]);
  });

  test("sets that differ in anything else remain separate ways", () => {
    const sets = [[degree, ielts], [degree, work, toefl], [degree], [degree]];
    expect(wordsOf(sets)).toHaveLength(4);
  });

  test("a set with two English tests requires both, so it remains a separate way", () => {
    expect(
      wordsOf([
        [degree, ielts, toefl],
        [degree, ielts, pte],
      ]),
    ).toHaveLength(2);
  });

  test("one test with two scores is a choice, and equal sets are merged", () => {
    expect(wordsOf([[ielts], [english("ieltsAcademic", 7)], [ielts]])).toEqual([
      [["IELTS Academic 6.5", "IELTS Academic 7.0"]],
    ]);
  });

  test("a way has the best outcome of its sets", () => {
    const sets = [[ielts], [toefl]];
    expect(onlyWay(sets, ieltsTaken(7)).outcome).toBe("mayEnter");
    expect(onlyWay(sets, ieltsTaken(6)).outcome).toBe("gap");
    expect(onlyWay(sets, nobody).outcome).toBe("notKnown");
    expect(waysOf(sets, undefined)[0]?.outcome).toBeUndefined();
  });
});

describe("answers to a choice of tests", () => {
  const sets = [[ielts], [toefl], [pte]];

  test("say once, below the tests, what to enter into a record without any test", () => {
    expect(answerKindsOf(sets, nobody)).toEqual({
      beside: [undefined, undefined, undefined],
      below: "notKnown",
    });
  });

  test("say once, below the tests, that a record has only other tests", () => {
    const record: StudyRecord = {
      ...nobody,
      tests: [{ test: "duolingo", takenOn: "2027-01-10", overall: 120, components: {} }],
    };
    expect(answerKindsOf(sets, record)).toEqual({
      beside: [undefined, undefined, undefined],
      below: "needsPerson",
    });
  });

  test("are shown beside the recorded test only", () => {
    expect(answerKindsOf(sets, ieltsTaken(6))).toEqual({
      beside: ["missing", undefined, undefined],
      below: undefined,
    });
  });

  test("omit a missing test if another one is met", () => {
    const record: StudyRecord = {
      ...nobody,
      tests: [
        { test: "ieltsAcademic", takenOn: "2027-01-10", overall: 6, components: {} },
        { test: "toefl", takenOn: "2027-02-10", overall: 95, components: {} },
      ],
    };
    expect(answerKindsOf(sets, record)).toEqual({ beside: [undefined, "met", undefined], below: undefined });
  });

  test("are empty before they are known", () => {
    const tests = waysOf(sets, undefined)[0]?.parts[0];
    expect(tests && answersOfTests(tests)).toEqual({
      beside: [undefined, undefined, undefined],
      below: undefined,
    });
  });
});
