import type { Status } from "#domain/account.ts";
import { tooLong } from "#domain/problem.ts";

/** What an admin decides about an agent. */
export const agentActions = ["approve", "deny", "revoke"] as const;
export type AgentAction = (typeof agentActions)[number];

/**
 * `removed`: the record is deleted and a tombstone kept. `conflict`: somebody else decided first. `unverified`:
 * nobody has shown that the address is the agent's own.
 */
export type AgentOutcome =
  | { kind: "becomes"; status: Status }
  | { kind: "removed" }
  | { kind: "conflict" }
  | { kind: "unverified" };

const from: Record<AgentAction, readonly Status[]> = {
  approve: ["pending", "revoked"],
  deny: ["pending"],
  revoke: ["approved"],
};
const to: Record<AgentAction, AgentOutcome> = {
  approve: { kind: "becomes", status: "approved" },
  deny: { kind: "removed" },
  revoke: { kind: "becomes", status: "revoked" },
};

/**
 * pending → approved, pending → removed, approved → revoked, revoked → approved again. Only an agent with a verified
 * address is approved: an approved one sees every student.
 */
export function decideAgent(
  action: AgentAction,
  agent: { status: Status; emailVerified: boolean },
): AgentOutcome {
  if (!from[action].includes(agent.status)) return { kind: "conflict" };
  if (action === "approve" && !agent.emailVerified) return { kind: "unverified" };
  return to[action];
}

/** Most characters of the reason that an admin may give to an agent who is denied or revoked. */
export const decisionReasonLimit = 500;

/** What is wrong with such a reason, or null; none needs to be given. */
export const decisionReasonProblem = (reason: string) =>
  tooLong("reason", "The reason", reason, decisionReasonLimit);

/** The tabs of the admin dashboard; `former` has the revoked, the denied and the disabled. */
export const agentTabs = ["pending", "approved", "former"] as const;
export type AgentTab = (typeof agentTabs)[number];
