import { expect, test } from "vitest";
import { statuses } from "./account.ts";
import { type AgentAction, decideAgent } from "./agent-approval.ts";

/** The transitions of spec section 4 and "Approve again"; every other pair is not possible. */
const possible: Record<AgentAction, Partial<Record<string, object>>> = {
  approve: {
    pending: { kind: "becomes", status: "approved" },
    revoked: { kind: "becomes", status: "approved" },
  },
  deny: { pending: { kind: "removed" } },
  revoke: { approved: { kind: "becomes", status: "revoked" } },
};

const pairs = (["approve", "deny", "revoke"] as const).flatMap((action) =>
  statuses.map((status) => [action, status] as const),
);
test.each(pairs)("%s when %s", (action, status) => {
  expect(decideAgent(action, status)).toEqual(possible[action][status] ?? { kind: "notPossible" });
});
