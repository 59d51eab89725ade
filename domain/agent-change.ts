import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";

/** Most characters of a student's reason, and of the reason for which an agent stays. */
export const agentChangeLimits = { reason: 500 } as const;

/** Working days, Monday to Friday in UTC, within which admins answer ("Another agent"). */
const workingDaysToAnswer = 5;

const day = 24 * 60 * 60 * 1000;
const isWorkingDay = (at: Date): boolean => at.getUTCDay() !== 0 && at.getUTCDay() !== 6;

/** Returns the time until which admins should answer a request made at `requestedAt`. */
export function answerDueAt(requestedAt: Date): Date {
  let due = requestedAt;
  for (let days = workingDaysToAnswer; days > 0; ) {
    due = new Date(due.getTime() + day);
    if (isWorkingDay(due)) days -= 1;
  }
  return due;
}

/** Whether a request wasn't answered in time, so that it is shown in red. */
export const isOverdue = (dueAt: Date, now: Date): boolean => dueAt.getTime() < now.getTime();

/** Decisions of admins: another agent, none, or that the agent stays. */
export const changeOutcomes = ["another", "none", "stays"] as const;
export type ChangeOutcome = (typeof changeOutcomes)[number];

/** Returns what is wrong with a student's reason (docs/product.md, "Another agent"), or null. */
export function changeReasonProblem(reason: string): Problem<"reason"> | null {
  const text = reason.trim();
  if (text === "") return wrong("reason", "Please say why.");
  return tooLong("reason", "The reason", text, agentChangeLimits.reason);
}

/** An admin's decision as it was sent; `agentId` is the other agent, and `reason` says why the agent stays. */
export type ChangeDecision = { outcome: ChangeOutcome; agentId: string | null; reason: string };

/** Returns what is wrong with a decision, or null. A reason is required and stored only if the agent stays. */
export function changeDecisionProblem({ outcome, agentId, reason }: ChangeDecision): Problem | null {
  if (outcome === "another" && agentId === null) return wrong("agentId", "Please choose an agent.");
  return outcome === "stays" ? changeReasonProblem(reason) : null;
}
