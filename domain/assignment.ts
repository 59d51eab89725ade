import type { AccountStatus } from "#domain/account.ts";
import { type AssignedStudent, isApprovedAgent, mayAssign } from "#domain/permission.ts";

/** `agentId`: the new agent, null for none. `expectedAgentId`: the agent at the time of the request. */
export type AssignmentChange = { agentId: string | null; expectedAgentId: string | null };

/**
 * `conflict`: the agent was changed meanwhile, or the chosen one is not an approved agent. `notAllowed`: the student is
 * another agent's. `unchanged`: the student has this agent already.
 */
export type AssignmentOutcome = "assigned" | "unassigned" | "unchanged" | "conflict" | "notAllowed";

/** Decides whether a student gets another agent; `agent` is the chosen one's account. */
export function decideAssignment(
  who: AccountStatus & { id: string },
  student: AssignedStudent,
  { agentId, expectedAgentId }: AssignmentChange,
  agent: AccountStatus | null,
): AssignmentOutcome {
  if (student.assignedAgentId !== expectedAgentId) return "conflict";
  if (!mayAssign(who, student)) return "notAllowed";
  if (agentId === student.assignedAgentId) return "unchanged";
  if (agentId === null) return "unassigned";
  return agent !== null && isApprovedAgent(agent) ? "assigned" : "conflict";
}

/** Decides whether an agent's students can be handed over to the agent `to`, or to none (`toId` null). */
export function decideHandOver(
  fromId: string,
  toId: string | null,
  to: AccountStatus | null,
): "done" | "conflict" {
  if (toId === null) return "done";
  return toId !== fromId && to !== null && isApprovedAgent(to) ? "done" : "conflict";
}

/** Minutes for which an assignment of many students can be taken back. */
export const takeBackMinutes = 10;

/**
 * Whether an assignment can still be taken back: the student still has that agent, who hasn't acted on it since
 * (`followed`), and the former agent, if any, is still approved.
 */
export const mayTakeBack = (
  student: AssignedStudent,
  { agentId, expectedAgentId }: AssignmentChange,
  before: AccountStatus | null,
  followed: boolean,
): boolean =>
  student.assignedAgentId === expectedAgentId &&
  !followed &&
  (agentId === null || (before !== null && isApprovedAgent(before)));
