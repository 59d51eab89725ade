import { expect, test } from "vitest";
import type { AccountStatus } from "#domain/account.ts";
import { type AssignmentOutcome, decideAssignment, decideHandOver } from "#domain/assignment.ts";

const agent = (id: string, status: AccountStatus["status"] = "approved") =>
  ({ id, role: "agent", status }) as const;
const admin = { id: "boss", role: "admin", status: "active" } as const;
const student = { id: "ada", role: "student", status: "active" } as const;
const [kofi, yaw] = [agent("kofi"), agent("yaw")];

type Case = [
  name: string,
  who: AccountStatus & { id: string },
  now: string | null,
  to: string | null,
  expected: string | null,
  nextAgent: AccountStatus | null,
  outcome: AssignmentOutcome,
];
const cases: Case[] = [
  ["an unassigned student to the agent who asks", kofi, null, "kofi", null, kofi, "assigned"],
  ["an unassigned student to another agent", kofi, null, "yaw", null, yaw, "assigned"],
  ["the agent's own student to another agent", kofi, "kofi", "yaw", "kofi", yaw, "assigned"],
  ["the agent's own student to no agent", kofi, "kofi", null, "kofi", null, "unassigned"],
  ["another agent's student", kofi, "yaw", "kofi", "yaw", kofi, "notAllowed"],
  ["another agent's student to no agent", kofi, "yaw", null, "yaw", null, "notAllowed"],
  ["a student who was taken meanwhile", kofi, "yaw", "kofi", null, kofi, "conflict"],
  ["a student who lost the agent meanwhile", admin, null, "yaw", "kofi", yaw, "conflict"],
  ["an admin, any student", admin, "yaw", "kofi", "yaw", kofi, "assigned"],
  ["an admin, to no agent", admin, "yaw", null, "yaw", null, "unassigned"],
  ["the agent they have", admin, "yaw", "yaw", "yaw", yaw, "unchanged"],
  ["to a pending agent", admin, null, "yaw", null, agent("yaw", "pending"), "conflict"],
  ["to a revoked agent", kofi, null, "yaw", null, agent("yaw", "revoked"), "conflict"],
  ["to a student", admin, null, "bea", null, { role: "student", status: "active" }, "conflict"],
  ["to an admin", admin, null, "boss", null, admin, "conflict"],
  ["to an unknown agent", admin, null, "x", null, null, "conflict"],
  ["by a pending agent", agent("kofi", "pending"), null, "yaw", null, yaw, "notAllowed"],
  ["by a revoked agent of theirs", agent("kofi", "revoked"), "kofi", "yaw", "kofi", yaw, "notAllowed"],
  ["by the student", student, null, "yaw", null, yaw, "notAllowed"],
];

test.each(cases)("%s", (_name, who, assignedAgentId, agentId, expectedAgentId, nextAgent, outcome) => {
  const now = { id: "ada", assignedAgentId };
  expect(decideAssignment(who, now, { agentId, expectedAgentId }, nextAgent)).toBe(outcome);
});

test("an agent's students go to another approved agent, or to none", () => {
  expect(decideHandOver("kofi", "yaw", yaw)).toBe("done");
  expect(decideHandOver("kofi", null, null)).toBe("done");
  expect(decideHandOver("kofi", "kofi", kofi)).toBe("conflict");
  expect(decideHandOver("kofi", "yaw", agent("yaw", "disabled"))).toBe("conflict");
  expect(decideHandOver("kofi", "nobody", null)).toBe("conflict");
});
