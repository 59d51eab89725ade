import { expect, test } from "vitest";
import { answerProblem, decideAnswer, decideQuestion, questionLimits, questionProblem } from "./question.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const open = { state: "open", endDate: new Date(now.getTime() + 1) } as const;
const ended = { ...open, endDate: now };

test.each([
  ["allowed", open, false],
  ["ownProduct", open, true],
  ["ended", ended, false],
  ["ended", { ...open, state: "sold" }, false],
  ["ended", { ...open, state: "unsold" }, false],
  ["notFound", { ...open, state: "removed" }, false],
  ["notFound", { ...open, state: "removed" }, true],
] as const)("a question is %s: %j, by the seller: %s", (kind, auction, isSeller) =>
  expect(decideQuestion(auction, isSeller, now).kind).toBe(kind),
);

const unanswered = { isAnswered: false, isHidden: false };
test.each([
  ["allowed", open, unanswered, true],
  ["notFound", open, unanswered, false],
  ["notFound", open, { ...unanswered, isHidden: true }, true],
  ["notFound", { ...open, state: "removed" }, unanswered, true],
  ["answered", open, { ...unanswered, isAnswered: true }, true],
  ["ended", ended, unanswered, true],
  ["ended", { ...open, state: "sold" }, unanswered, true],
] as const)("an answer is %s: %j, %j, by the seller: %s", (kind, auction, question, isSeller) =>
  expect(decideAnswer(auction, question, isSeller, now).kind).toBe(kind),
);

test("texts are required, and have a maximum length", () => {
  expect(questionProblem(" ")).toMatchObject({ field: "text", message: "Please write your question." });
  expect(questionProblem("x".repeat(questionLimits.text))).toBeNull();
  expect(questionProblem("x".repeat(questionLimits.text + 1))).toMatchObject({ field: "text" });
  expect(answerProblem("")).toMatchObject({ field: "answer", message: "Please write your answer." });
  expect(answerProblem("x".repeat(questionLimits.answer))).toBeNull();
  expect(answerProblem("x".repeat(questionLimits.answer + 1))).toMatchObject({ field: "answer" });
});
