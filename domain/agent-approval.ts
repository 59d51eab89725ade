import type { Status } from "#domain/account.ts";
import { type DisablingFacts, formerStatus } from "#domain/disabling.ts";
import { tooLong } from "#domain/problem.ts";

/** Decisions of an admin about an agent. */
export const agentActions = ["approve", "deny", "revoke"] as const;
export type AgentAction = (typeof agentActions)[number];

/**
 * `removed`: the record is deleted and a tombstone kept. `conflict`: another admin decided first. `unverified`: the
 * agent's email address is not verified.
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
 * Decides an admin's action: pending → approved, pending → removed, approved → revoked, revoked → approved again. Only
 * an agent with a verified address is approved, since an approved one sees every student. A leaving agent is denied or
 * revoked like any other, but approved only after a revocation; the deletion stays due.
 */
export function decideAgent(
  action: AgentAction,
  agent: DisablingFacts & { emailVerified: boolean },
): AgentOutcome {
  const isLeaving = agent.status === "leaving";
  const status = isLeaving ? formerStatus({ ...agent, deletionDueAt: null }) : agent.status;
  if (!from[action].includes(status)) return { kind: "conflict" };
  if (action !== "approve") return to[action];
  if (isLeaving) return { kind: "conflict" };
  if (!agent.emailVerified) return { kind: "unverified" };
  return agent.deletionDueAt ? { kind: "becomes", status: "leaving" } : to.approve;
}

/** Most characters of the reason that an admin may give to an agent who is denied or revoked. */
export const decisionReasonLimit = 500;

/** Returns what is wrong with a reason, or null. The reason is optional. */
export const decisionReasonProblem = (reason: string) =>
  tooLong("reason", "The reason", reason, decisionReasonLimit);

/** The tabs of the admin dashboard; `former` lists revoked, denied, disabled and leaving agents. */
export const agentTabs = ["pending", "approved", "former"] as const;
export type AgentTab = (typeof agentTabs)[number];
