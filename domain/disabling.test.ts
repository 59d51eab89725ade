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
const longAgo = new Date(0);
const agent = (
  status: DisablingFacts["status"],
  approvedAt: Date | null = null,
  revokedAt: Date | null = null,
) => account({ role: "agent", status, approvedAt, revokedAt });

test.each([
  ["a student", account({})],
  ["a pending agent", agent("pending")],
  ["an approved agent", agent("approved", longAgo)],
  ["a revoked agent", agent("revoked", longAgo, longAgo)],
])("%s is disabled, and gets the former status back when enabled", (_name, before) => {
  const disabled = { ...before, status: "disabled" } as const;
  expect(decideDisabling(before, true)).toEqual({ kind: "becomes", status: "disabled" });
  expect(decideDisabling(disabled, false)).toEqual({ kind: "becomes", status: before.status });
  expect(decideDisabling(disabled, true)).toEqual({ kind: "conflict" });
  expect(decideDisabling(before, false)).toEqual({ kind: "conflict" });
});

test("a leaving account is disabled like others, and its deletion stays due when it is enabled", () => {
  const leaving = account({ status: "leaving", deletionDueAt: longAgo });
  expect(decideDisabling(leaving, true)).toEqual({ kind: "becomes", status: "disabled" });
  expect(decideDisabling({ ...leaving, status: "disabled" }, false)).toEqual({
    kind: "becomes",
    status: "leaving",
  });
  expect(decideDisabling(leaving, false)).toEqual({ kind: "conflict" });
});

test("an admin is neither disabled nor enabled", () => {
  for (const disabled of [true, false])
    expect(decideDisabling(account({ role: "admin" }), disabled)).toEqual({ kind: "admin" });
});
