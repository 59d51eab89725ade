import { expect, test } from "vitest";
import { type DisablingFacts, decideDisabling } from "#domain/disabling.ts";

type Account = Parameters<typeof decideDisabling>[0];
const account = (changes: Partial<Account>): Account => ({
  role: "student",
  status: "active",
  approvedAt: null,
  revokedAt: null,
  deletionDueAt: null,
  ...changes,
});
const then = new Date(0);
const agent = (
  status: DisablingFacts["status"],
  approvedAt: Date | null = null,
  revokedAt: Date | null = null,
) => account({ role: "agent", status, approvedAt, revokedAt });

test.each([
  ["a student", account({})],
  ["a pending agent", agent("pending")],
  ["an approved agent", agent("approved", then)],
  ["a revoked agent", agent("revoked", then, then)],
])("%s is disabled, and enabled goes back to where they were", (_name, before) => {
  const disabled = { ...before, status: "disabled" } as const;
  expect(decideDisabling(before, true)).toEqual({ kind: "becomes", status: "disabled" });
  expect(decideDisabling(disabled, false)).toEqual({ kind: "becomes", status: before.status });
  expect(decideDisabling(disabled, true)).toEqual({ kind: "conflict" });
  expect(decideDisabling(before, false)).toEqual({ kind: "conflict" });
});

test("an account that is leaving is disabled like others, and enabling leaves the deletion due", () => {
  const leaving = account({ status: "leaving", deletionDueAt: then });
  expect(decideDisabling(leaving, true)).toEqual({ kind: "becomes", status: "disabled" });
  expect(decideDisabling({ ...leaving, status: "disabled" }, false)).toEqual({
    kind: "becomes",
    status: "leaving",
  });
  expect(decideDisabling(leaving, false)).toEqual({ kind: "conflict" });
});

test("an admin is neither", () => {
  for (const disabled of [true, false])
    expect(decideDisabling(account({ role: "admin" }), disabled)).toEqual({ kind: "admin" });
});
