import { describe, expect, test } from "vitest";
import { statuses } from "#domain/account.ts";
import { agentActions, decideAgent, decisionReasonLimit, decisionReasonProblem } from "./agent-approval.ts";

describe("what an admin may decide, by where the agent stands", () => {
  const possible: Record<string, string> = {
    "approve pending": "approved",
    "approve revoked": "approved",
    "deny pending": "removed",
    "revoke approved": "revoked",
  };
  const all = agentActions.flatMap((action) => statuses.map((status) => [action, status] as const));

  test.each(all)("%s %s", (action, status) => {
    const outcome = decideAgent(action, { status, emailVerified: true });
    const is = outcome.kind === "becomes" ? outcome.status : outcome.kind;
    expect(is).toBe(possible[`${action} ${status}`] ?? "conflict");
  });

  test.each(all)("%s %s, with an address that isn't verified", (action, status) => {
    const verified = decideAgent(action, { status, emailVerified: true });
    const outcome = decideAgent(action, { status, emailVerified: false });
    if (action === "approve" && verified.kind === "becomes") expect(outcome).toEqual({ kind: "unverified" });
    else expect(outcome).toEqual(verified);
  });
});

test("a reason is optional, and has a limit", () => {
  expect(decisionReasonProblem("")).toBeNull();
  expect(decisionReasonProblem(` ${"x".repeat(decisionReasonLimit)} `)).toBeNull();
  expect(decisionReasonProblem("x".repeat(decisionReasonLimit + 1))).toMatchObject({ field: "reason" });
});
