import type { AccountStatus } from "#domain/account.ts";
import { type AssignedStudent, isApprovedAgent, mayAssign } from "#domain/permission.ts";

/** `agentId` null: the student shall have no agent. `expectedAgentId`: whom they had when it was asked for. */
export type AssignmentWish = { agentId: string | null; expectedAgentId: string | null };

/**
 * `conflict`: assigned otherwise by now, or the one chosen is no approved agent (any more). `notAllowed`: the student is
 * another agent's. `unchanged`: it is so already.
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
