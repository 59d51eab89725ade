import type { Standing } from "#domain/account.ts";
import { type Guided, isApprovedAgent, mayAssign } from "#domain/permission.ts";

/** `agentId` null: the student shall have no agent. `expectedAgentId`: who guided them when it was asked for. */
export type AssignmentWish = { agentId: string | null; expectedAgentId: string | null };

/**
 * `changed`: somebody else was faster. `notAllowed`: the student is another agent's. `noAgent`: the one chosen is no
 * approved agent, or not any more. `unchanged`: it is so already.
 */
export type AssignmentOutcome =
  | "assigned"
  | "unassigned"
  | "unchanged"
  | "changed"
  | "notAllowed"
  | "noAgent";

/** Whether a student gets another agent ; `agent` is the one who was chosen. */
export function decideAssignment(
  who: Standing & { id: string },
  student: Guided,
  { agentId, expectedAgentId }: AssignmentWish,
  agent: Standing | null,
): AssignmentOutcome {
  if (student.assignedAgentId !== expectedAgentId) return "changed";
  if (!mayAssign(who, student)) return "notAllowed";
  if (agentId === student.assignedAgentId) return "unchanged";
  if (agentId === null) return "unassigned";
  return agent !== null && isApprovedAgent(agent) ? "assigned" : "noAgent";
}

/** Whether all students of an agent can be given to another, or to none (`toId` null); `to` is the one who was chosen. */
export function decideHandOver(fromId: string, toId: string | null, to: Standing | null): "done" | "noAgent" {
  if (toId === null) return "done";
  return toId !== fromId && to !== null && isApprovedAgent(to) ? "done" : "noAgent";
}
