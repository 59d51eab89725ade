import { describe, expect, test } from "vitest";
import {
  decideReport,
  reasonsAbout,
  reportAnswerProblem,
  reportLimits,
  reportProblem,
  reportReasons,
  reportSubjects,
} from "./trade-report.ts";

test.each([
  [{ subjectAccountId: "seller", hasOpenReport: false }, "taken"],
  [{ subjectAccountId: null, hasOpenReport: false }, "taken"],
  [{ subjectAccountId: "seller", hasOpenReport: true }, "repeated"],
  [{ subjectAccountId: "ada", hasOpenReport: false }, "own"],
  [{ subjectAccountId: "ada", hasOpenReport: true }, "own"],
] as const)("a report by ada with %j is %s", (facts, kind) => {
  expect(decideReport({ reporterId: "ada", ...facts })).toEqual({ kind });
});

describe("the form", () => {
  test.each(reportSubjects)("about a %s accepts exactly its own reasons", (subject) => {
    for (const reason of reportReasons)
      expect(reportProblem({ subject, reason, text: "Look at it." }) === null).toBe(
        reasonsAbout[subject].includes(reason),
      );
  });

  test("requires a text for something else, which has a maximum length", () => {
    const about = { subject: "product", reason: "other" } as const;
    expect(reportProblem({ ...about, text: " \n" })).toMatchObject({ field: "text" });
    expect(reportProblem({ ...about, reason: "fake", text: "" })).toBeNull();
    expect(reportProblem({ ...about, text: ` ${"a".repeat(reportLimits.text)} ` })).toBeNull();
    expect(reportProblem({ ...about, text: "a".repeat(reportLimits.text + 1) })).toMatchObject({
      field: "text",
    });
  });

  test("requires an answer, which has a maximum length", () => {
    expect(reportAnswerProblem("  ")).toMatchObject({ field: "answer" });
    expect(reportAnswerProblem("We removed it.")).toBeNull();
    expect(reportAnswerProblem("a".repeat(reportLimits.answer + 1))).toMatchObject({ field: "answer" });
  });
});
