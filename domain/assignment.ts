import type { AccountStatus } from "#domain/account.ts";
import { type AssignedStudent, isApprovedAgent, mayAssign } from "#domain/permission.ts";

/** `agentId` null: the student is to have no agent. `expectedAgentId`: the agent at the time of the request. */
export type AssignmentWish = { agentId: string | null; expectedAgentId: string | null };

/**
 * `conflict`: somebody else has changed the agent meanwhile, or the chosen one is not, or no longer, an approved agent.
 * `notAllowed`: the student is another agent's. `unchanged`: the student has this agent already.
 */
export type AssignmentOutcome = "assigned" | "unassigned" | "unchanged" | "conflict" | "notAllowed";

/** Whether a student gets another agent; `agent` is the one who was chosen. */
export function decideAssignment(
  who: AccountStatus & { id: string },
  student: AssignedStudent,
  { agentId, expectedAgentId }: AssignmentWish,
  agent: AccountStatus | null,
): AssignmentOutcome {
  if (student.assignedAgentId !== expectedAgentId) return "conflict";
  if (!mayAssign(who, student)) return "notAllowed";
  if (agentId === student.assignedAgentId) return "unchanged";
  if (agentId === null) return "unassigned";
  return agent !== null && isApprovedAgent(agent) ? "assigned" : "conflict";
}

/** Whether all students of an agent can be given to another, or to none (`toId` null); `to` is the one who was chosen. */
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
 * Whether an assignment can still be taken back: the student has the agent that they were given, who has done nothing
 * about them since (`followed`), and the agent before, if any, may still have students.
 */
export const mayTakeBack = (
  student: AssignedStudent,
  { agentId, expectedAgentId }: AssignmentWish,
  before: AccountStatus | null,
  followed: boolean,
): boolean =>
  student.assignedAgentId === expectedAgentId &&
  !followed &&
  (agentId === null || (before !== null && isApprovedAgent(before)));
