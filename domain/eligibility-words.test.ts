import { describe, expect, test } from "vitest";
import type { Answer } from "./answer.ts";
import { setOutcome } from "./eligibility.ts";
import { answerWords, outcomeReason } from "./eligibility-words.ts";
import { programmeOutcome } from "./outcome.ts";
import { answerRequirement } from "./requirement-answer.ts";
import type { StudyRecord } from "./study-record.ts";

const met: Answer = { kind: "met" };
const low: Answer = {
  kind: "missing",
  shortfalls: [{ what: "writing", has: "6.0", asked: "6.5" }],
  final: false,
};
const late: Answer = { ...low, final: true };
const unknown: Answer = { kind: "notKnown", enter: "the date of birth" };
const needsPerson: Answer = { kind: "needsPerson", why: "A person reads this." };

describe("a set", () => {
  test.each([
    [[], "mayEnter"],
    [[met, met], "mayEnter"],
    [[met, low], "gap"],
    [[low, low], "no"],
    [[met, late], "no"],
    [[unknown, met], "notKnown"],
    [[needsPerson], "notKnown"],
    [[low, unknown], "notKnown"],
    [[low, low, unknown], "no"],
    [[late, needsPerson, unknown], "no"],
  ] as const)("with the answers %j has the outcome %s", (answers, outcome) => {
    expect(setOutcome(answers)).toBe(outcome);
  });

  test("distinguishes missing from unknown answers even at its largest size", () => {
    const twenty = (answer: Answer) => Array.from({ length: 20 }, () => answer);
    expect(setOutcome(twenty(late))).toBe("no");
    expect(setOutcome(twenty(unknown))).toBe("notKnown");
    expect(setOutcome([...twenty(unknown).slice(1), low])).toBe("notKnown");
    expect(setOutcome([...twenty(unknown).slice(1), late])).toBe("no");
  });
});

test("a programme has the best outcome of its sets, and is unknown without sets", () => {
  expect(programmeOutcome(["no", "gap", "notKnown"])).toBe("gap");
  expect(programmeOutcome(["no", "notKnown"])).toBe("notKnown");
  expect(programmeOutcome(["no"])).toBe("no");
  expect(programmeOutcome([])).toBe("notKnown");
});

test("the reason of an outcome is the gap, the fact to enter, the text to read, or everything missing", () => {
  const sets = [
    { outcome: "no", answers: [low, met, low] },
    { outcome: "notKnown", answers: [met, needsPerson, unknown] },
    { outcome: "gap", answers: [met, low] },
  ] as const;
  expect(outcomeReason("gap", sets)).toBe("writing 6.0, asked 6.5");
  expect(outcomeReason("notKnown", sets)).toBe("To enter: the date of birth");
  expect(outcomeReason("no", sets)).toBe("writing 6.0, asked 6.5; writing 6.0, asked 6.5");
  expect(outcomeReason("mayEnter", sets)).toBe("");
  expect(outcomeReason("notKnown", [])).toBe("Its entry requirements are not in the catalogue.");
  expect(answerWords({ ...low, shortfalls: [{ what: "Physics", has: "", asked: "B" }] })).toBe(
    "Physics: none, asked B",
  );
});

test("the reason of an unknown set is the fact to enter or the text to read, also beside a gap", () => {
  const reasonOf = (answers: readonly Answer[]) =>
    outcomeReason("notKnown", [{ outcome: "notKnown", answers }]);
  expect(reasonOf([low, needsPerson, unknown])).toBe("To enter: the date of birth");
  expect(reasonOf([low, needsPerson])).toBe("A person reads this.");
});

const record: StudyRecord = { dateOfBirth: "2008-09-02", workMonths: null, qualifications: [], tests: [] };
const withTest = (takenOn: string): StudyRecord => ({
  ...record,
  tests: [{ test: "ieltsAcademic", takenOn, overall: 6.5, components: { writing: 6 } }],
});
const ielts = {
  kind: "english",
  test: "ieltsAcademic",
  overall: 6.5,
  components: { writing: 6 },
  years: 2,
} as const;

test("a test counts up to its maximum age at the start, and a General test doesn't count as an Academic one", () => {
  const kindOf = (takenOn: string) => answerRequirement(ielts, withTest(takenOn), "2026-09-01", []).kind;
  expect(kindOf("2024-09-01")).toBe("met");
  expect(kindOf("2024-08-31")).toBe("missing");
  const general = { ...ielts, test: "ieltsGeneral" } as const;
  expect(answerRequirement(general, withTest("2026-01-01"), "2026-09-01", []).kind).toBe("needsPerson");
  const parts = { ...ielts, components: { reading: 6 } };
  expect(answerRequirement(parts, withTest("2026-01-01"), "2026-09-01", [])).toMatchObject({
    kind: "notKnown",
    enter: "the score of reading in IELTS Academic",
  });
});

test("an age is that on the first day of the start, and can't be met later", () => {
  const adult = { kind: "age", least: 18, most: null } as const;
  expect(answerRequirement(adult, record, "2026-09-01", [])).toMatchObject({ kind: "missing", final: true });
  expect(answerRequirement(adult, record, "2026-09-02", []).kind).toBe("met");
});
