import { describe, expect, test } from "vitest";
import { type Status, statuses } from "#domain/account.ts";
import { agentActions, decideAgent, decisionReasonLimit, decisionReasonProblem } from "./agent-approval.ts";

const longAgo = new Date(0);
const agent = (status: Status, changes: Partial<Parameters<typeof decideAgent>[1]> = {}) => ({
  role: "agent" as const,
  status,
  emailVerified: true,
  approvedAt: null,
  revokedAt: null,
  deletionDueAt: null,
  ...changes,
});

describe("an admin's decisions by the agent's status", () => {
  const possible: Record<string, string> = {
    "approve pending": "approved",
    "approve revoked": "approved",
    "deny pending": "removed",
    // Nobody has approved them yet.
    "deny leaving": "removed",
    "revoke approved": "revoked",
  };
  const all = agentActions.flatMap((action) => statuses.map((status) => [action, status] as const));

  test.each(all)("%s %s", (action, status) => {
    const outcome = decideAgent(action, agent(status));
    const result = outcome.kind === "becomes" ? outcome.status : outcome.kind;
    expect(result).toBe(possible[`${action} ${status}`] ?? "conflict");
  });

  test.each(all)("%s %s, with an address that isn't verified", (action, status) => {
    const verified = decideAgent(action, agent(status));
    const outcome = decideAgent(action, agent(status, { emailVerified: false }));
    if (action === "approve" && verified.kind === "becomes") expect(outcome).toEqual({ kind: "unverified" });
    else expect(outcome).toEqual(verified);
  });
});

test("an agent who is leaving is revoked once approved, and approving again leaves the deletion due", () => {
  const leaving = agent("leaving", { approvedAt: longAgo, deletionDueAt: longAgo });
  expect(decideAgent("revoke", leaving)).toEqual({ kind: "becomes", status: "revoked" });
  expect(decideAgent("deny", leaving)).toEqual({ kind: "conflict" });
  const revoked = { ...leaving, status: "revoked", revokedAt: longAgo } as const;
  expect(decideAgent("approve", revoked)).toEqual({ kind: "becomes", status: "leaving" });
});

test("a reason is optional, and has a limit", () => {
  expect(decisionReasonProblem("")).toBeNull();
  expect(decisionReasonProblem(` ${"x".repeat(decisionReasonLimit)} `)).toBeNull();
  expect(decisionReasonProblem("x".repeat(decisionReasonLimit + 1))).toMatchObject({ field: "reason" });
});
