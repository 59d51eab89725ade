import { expect, test } from "vitest";
import { answerDueAt, changeDecisionProblem, changeReasonProblem, isOverdue } from "./agent-change.ts";

test.each([
  ["a Monday", "2026-11-23T09:30:00Z", "2026-11-30T09:30:00Z"],
  ["a Wednesday", "2026-11-25T23:59:00Z", "2026-12-02T23:59:00Z"],
  ["a Friday", "2026-11-27T08:00:00Z", "2026-12-04T08:00:00Z"],
  ["a Saturday", "2026-11-28T08:00:00Z", "2026-12-04T08:00:00Z"],
  ["a Sunday", "2026-11-29T08:00:00Z", "2026-12-04T08:00:00Z"],
])("a request of %s is due after five working days", (_day, requestedAt, due) => {
  const dueAt = answerDueAt(new Date(requestedAt));
  expect(dueAt).toEqual(new Date(due));
  expect(isOverdue(dueAt, new Date(due))).toBe(false);
  expect(isOverdue(dueAt, new Date(Date.parse(due) + 1))).toBe(true);
});

test("a reason is required, and has a maximum length", () => {
  expect(changeReasonProblem(" \n ")).toMatchObject({ field: "reason" });
  expect(changeReasonProblem("x".repeat(500))).toBeNull();
  expect(changeReasonProblem("x".repeat(501))).toMatchObject({ field: "reason" });
});

test("requires a reason only if the agent stays, and an agent only for another one", () => {
  const decision = { agentId: null, reason: "" };
  expect(changeDecisionProblem({ ...decision, outcome: "none" })).toBeNull();
  expect(changeDecisionProblem({ ...decision, outcome: "another" })).toMatchObject({ field: "agentId" });
  expect(changeDecisionProblem({ ...decision, outcome: "another", agentId: "yaw" })).toBeNull();
  expect(changeDecisionProblem({ ...decision, outcome: "stays" })).toMatchObject({ field: "reason" });
});
