import { describe, expect, test } from "vitest";
import { roles, statuses } from "./account.ts";
import { credentialsProblem, decideSignIn, isRecentLogin, resetProblem } from "./sign-in.ts";

test("missing fields are reported in their order", () => {
  expect(credentialsProblem({ email: " ", password: "" })).toMatchObject({
    code: "auth/invalid-email",
    message: "Please enter your email address.",
  });
  expect(credentialsProblem({ email: "a", password: "" })).toMatchObject({
    message: "Please enter your password.",
  });
  expect(credentialsProblem({ email: "a", password: " " })).toBeNull();
});

test("a reset needs a valid email address", () => {
  const message = (email: string) => resetProblem(email)?.message;
  expect(message(" ")).toBe("Please enter your email address.");
  for (const email of ["bogus", "ada@example", "ada obi@example.org"])
    expect(resetProblem(email)).toEqual({
      code: "auth/invalid-email",
      message: "Please enter a valid email address.",
      field: "email",
    });
  expect(resetProblem(" Ada@example.org ")).toBeNull();
});

describe("a wrong password reveals nothing", () => {
  const accounts = roles.flatMap((role) =>
    statuses.map((status) => ({ kind: "account", role, status }) as const),
  );
  test.each([...accounts, { kind: "denied" } as const, { kind: "unknown" } as const])("%o", (subject) => {
    expect(decideSignIn(subject, false)).toBe("auth/invalid-credential");
  });
});

test.each([
  ["student", "active", "accepted"],
  ["admin", "active", "accepted"],
  ["agent", "pending", "accepted"],
  ["agent", "approved", "accepted"],
  ["agent", "leaving", "accepted"],
  ["agent", "revoked", "account/revoked"],
  ["agent", "disabled", "auth/user-disabled"],
  ["student", "disabled", "auth/user-disabled"],
  ["merchant", "active", "account/invalid-role"],
])("the correct password of a %s who is %s: %s", (role, status, decision) => {
  expect(decideSignIn({ kind: "account", role, status }, true)).toBe(decision);
});

test("a correct password reveals a denial, but never that an account is unknown", () => {
  expect(decideSignIn({ kind: "denied" }, true)).toBe("account/denied");
  expect(decideSignIn({ kind: "unknown" }, true)).toBe("auth/invalid-credential");
});

test.each([
  ["2026-11-22T12:00:00.000Z", true],
  ["2026-11-22T12:14:59.999Z", true],
  ["2026-11-22T12:15:00.000Z", false],
  ["2026-11-23T12:00:00.000Z", false],
  // The database's clock may be ahead of ours.
  ["2026-11-22T11:59:59.000Z", true],
])("a login at noon is recent at %s: %s", (now, recent) => {
  expect(isRecentLogin(new Date("2026-11-22T12:00:00.000Z"), new Date(now))).toBe(recent);
});
