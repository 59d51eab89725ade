import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Caller } from "#tests/caller.ts";
import { freshEmail, goodPassword, person } from "#tests/factories.ts";
import { type Wayfare, wayfare } from "#tests/wayfare.ts";
import { audit } from "../audit/tables.ts";
import { scryptPasswords } from "./identity.ts";
import { account, deniedAgent, user } from "./tables.ts";

let verifications = 0;
const counting = {
  ...scryptPasswords,
  verify: (data: { hash: string; password: string }) => {
    verifications++;
    return scryptPasswords.verify(data);
  },
};

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ passwords: counting });
});
afterAll(() => w.stop());
beforeEach(() => {
  verifications = 0;
});

const login = (email: string, password = goodPassword, caller = new Caller(w.app)) =>
  caller.call("account.signIn", { email, password });

test("the right password opens a session, whatever the letter case of the address", async () => {
  const { email, id } = await person(w, "student", "active");
  const caller = new Caller(w.app);
  expect((await login(` ${email.toUpperCase()} `, goodPassword, caller)).body).toMatchObject({
    id,
    role: "student",
  });
  expect((await caller.call("account.me")).body).toMatchObject({ viewer: { id, email } });
  expect(caller.cookies.get("wayfare-hint")).toBe("student");
});

test("empty fields are told in the spec's order", async () => {
  expect(await login("", "")).toMatchObject({
    code: "auth/invalid-email",
    message: "Please enter your email address.",
  });
  expect(await login("a@example.org", "")).toMatchObject({ message: "Please enter your password." });
  expect(verifications).toBe(0);
});

test("known and unknown addresses answer alike, with exactly one verification each", async () => {
  const { email } = await person(w, "student", "active");
  const known = await login(email, "wrong password");
  expect(verifications).toBe(1);
  const unknown = await login(freshEmail(), "wrong password");
  expect(verifications).toBe(2);
  expect(known).toMatchObject({ status: 401, code: "auth/invalid-credential" });
  expect(unknown.body).toEqual(known.body);
  await login(email);
  expect(verifications).toBe(3);
});

describe("the state of an account is told after the right password, and only then", () => {
  test.each([
    [
      "agent",
      "revoked",
      "account/revoked",
      "Your agent access has been revoked. Please contact support for more information.",
    ],
    [
      "student",
      "disabled",
      "auth/user-disabled",
      "This account has been disabled. Please contact support for assistance.",
    ],
    [
      "agent",
      "disabled",
      "auth/user-disabled",
      "This account has been disabled. Please contact support for assistance.",
    ],
  ] as const)("%s, %s", async (role, status, code, message) => {
    const { email, caller } = await person(w, role, status);
    expect((await login(email, "wrong password")).code).toBe("auth/invalid-credential");
    expect(await login(email)).toMatchObject({ status: 403, code, message });
    // The factory gave a session too: it opens nothing.
    expect((await caller.call("account.me")).body).toEqual({ viewer: null });
  });

  test("denied", async () => {
    const { email, id } = await person(w, "agent", "pending");
    const [{ password } = { password: "" }] = await w.services.database.db
      .select({ password: account.password })
      .from(account)
      .where(eq(account.userId, id));
    await w.services.database.db.delete(user).where(eq(user.id, id));
    await w.services.database.db
      .insert(deniedAgent)
      .values({ id, email, password: password ?? "", deniedBy: "x" });
    expect((await login(email, "wrong password")).code).toBe("auth/invalid-credential");
    expect(verifications).toBe(1);
    expect(await login(email)).toMatchObject({
      code: "account/denied",
      message: "Your agent account has been denied. Please contact support for more information.",
    });
    expect(verifications).toBe(2);
  });
});

test("a refused login leaves no session behind", async () => {
  const { email } = await person(w, "agent", "revoked");
  const caller = new Caller(w.app);
  await login(email, goodPassword, caller);
  expect(caller.cookies.size).toBe(0);
});

test("a password that is reset while it is verified opens nothing", async () => {
  const { email, id } = await person(w, "student", "active");
  const slow = w.services.identity.isRightPassword;
  w.services.identity.isRightPassword = async (hash, password) => {
    const right = await slow(hash, password);
    await w.services.database.db
      .update(account)
      .set({ password: "another hash" })
      .where(eq(account.userId, id));
    return right;
  };
  const answer = await login(email);
  w.services.identity.isRightPassword = slow;
  expect(answer.code).toBe("auth/invalid-credential");
});

test("sign-out ends the session on the server, not only in the browser", async () => {
  const { caller } = await person(w, "student", "active");
  const kept = new Map(caller.cookies);
  expect((await caller.call("account.signOut")).status).toBe(200);
  expect(caller.cookies.size).toBe(0);
  for (const [name, value] of kept) caller.cookies.set(name, value);
  expect((await caller.call("account.me")).body).toEqual({ viewer: null });
});

test("a forged, broken or foreign cookie is nobody's", async () => {
  const { caller } = await person(w, "student", "active");
  const [[name, value] = ["", ""]] = caller.cookies;
  const token = decodeURIComponent(value).split(".")[0] ?? "";
  for (const forged of [token, `${token}.`, `${token}.AAAA`, "%E0%A4%A", `x${value}`, ".", `${value}x`]) {
    const thief = new Caller(w.app);
    thief.cookies.set(name, forged);
    expect((await thief.call("account.me")).body, forged).toEqual({ viewer: null });
  }
});

test("logins and failed logins are in the audit log, which nobody can change", async () => {
  const { email, id } = await person(w, "student", "active");
  const caller = new Caller(w.app, "198.51.100.9");
  await login(email, "wrong password", caller);
  await login(email, goodPassword, caller);
  const { db, pool } = w.services.database;
  const entries = await db.select().from(audit).where(eq(audit.subjectId, id)).orderBy(desc(audit.id));
  expect(entries).toMatchObject([
    { action: "sign-in", actorId: id, address: "198.51.100.9" },
    { action: "sign-in-failed", actorId: null, detail: { refusal: "auth/invalid-credential" } },
  ]);
  await expect(pool.query("update audit set action = 'nothing'")).rejects.toThrow("append-only");
  await expect(pool.query("delete from audit")).rejects.toThrow("append-only");
  await expect(pool.query("truncate audit")).rejects.toThrow("append-only");
});
