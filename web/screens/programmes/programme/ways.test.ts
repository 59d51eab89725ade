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

/** Returns what is said of the choice of tests of the only way. */
function saidOf(sets: Requirement[][], record: StudyRecord) {
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

  test("sets that differ in anything else stay ways of their own", () => {
    const sets = [[degree, ielts], [degree, work, toefl], [degree], [degree]];
    expect(wordsOf(sets)).toHaveLength(4);
  });

  test("a set with two English tests asks for both, so that it stays a way of its own", () => {
    expect(
      wordsOf([
        [degree, ielts, toefl],
        [degree, ielts, pte],
      ]),
    ).toHaveLength(2);
  });

  test("the same test with another score is a choice, and the same set twice is one", () => {
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

  test("a record without any test is told once what to enter, below the tests", () => {
    expect(saidOf(sets, nobody)).toEqual({ beside: [undefined, undefined, undefined], below: "notKnown" });
  });

  test("a record with another test alone is said once below the tests", () => {
    const record: StudyRecord = {
      ...nobody,
      tests: [{ test: "duolingo", takenOn: "2027-01-10", overall: 120, components: {} }],
    };
    expect(saidOf(sets, record)).toEqual({ beside: [undefined, undefined, undefined], below: "needsPerson" });
  });

  test("the test of the record has its answer beside it, and the others none", () => {
    expect(saidOf(sets, ieltsTaken(6))).toEqual({
      beside: ["missing", undefined, undefined],
      below: undefined,
    });
  });

  test("a test that is met silences one that is missing", () => {
    const record: StudyRecord = {
      ...nobody,
      tests: [
        { test: "ieltsAcademic", takenOn: "2027-01-10", overall: 6, components: {} },
        { test: "toefl", takenOn: "2027-02-10", overall: 95, components: {} },
      ],
    };
    expect(saidOf(sets, record)).toEqual({ beside: [undefined, "met", undefined], below: undefined });
  });

  test("nothing is said before there are answers", () => {
    const tests = waysOf(sets, undefined)[0]?.parts[0];
    expect(tests && answersOfTests(tests)).toEqual({
      beside: [undefined, undefined, undefined],
      below: undefined,
    });
  });
});
