import type { Status } from "#domain/account.ts";

/** What an admin decides about an agent (spec 4; "Undoing" of the product decisions). */
export type AgentAction = "approve" | "deny" | "revoke";

/** `removed`: the record is deleted and a tombstone kept. `notPossible`: somebody else decided first. */
export type AgentOutcome =
  | { kind: "becomes"; status: Status }
  | { kind: "removed" }
  | { kind: "notPossible" };

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

/** pending → approved, pending → removed, approved → revoked, revoked → approved again. */
export function decideAgent(action: AgentAction, status: Status): AgentOutcome {
  return from[action].includes(status) ? to[action] : { kind: "notPossible" };
}

/** The tabs of the admin dashboard; `former` has the revoked, the denied and the disabled. */
export const agentTabs = ["pending", "approved", "former"] as const;
export type AgentTab = (typeof agentTabs)[number];
