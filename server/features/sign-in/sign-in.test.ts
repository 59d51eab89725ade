import { scryptSync } from "node:crypto";
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { account, deniedAgent, user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { Refusal } from "#server/refusal.ts";
import { Caller } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, person, signUpForm } from "#tests/support/factories.ts";
import { quickPasswords } from "#tests/support/quick-passwords.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import type { Attempt } from "./passwords/passwords.ts";

let verifications = 0;
let supersedesOlder: boolean | undefined;
const counting = {
  ...quickPasswords,
  verify: (attempt: Attempt) => {
    verifications++;
    supersedesOlder = attempt.supersedesOlder;
    return quickPasswords.verify(attempt);
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

test("the correct password opens a session, regardless of the letter case of the address", async () => {
  const { email, id } = await person(w, "student", "active");
  const caller = new Caller(w.app);
  expect((await login(` ${email.toUpperCase()} `, goodPassword, caller)).body).toMatchObject({
    id,
    role: "student",
  });
  expect((await caller.call("account.me")).body).toMatchObject({ viewer: { id, email } });
  expect(caller.cookies.get("wayfare-hint")).toBe("student");
});

test("empty fields are reported one after the other", async () => {
  expect(await login("", "")).toMatchObject({
    code: "auth/invalid-email",
    message: "Please enter your email address.",
  });
  expect(await login("a@example.org", "")).toMatchObject({ message: "Please enter your password." });
  expect(verifications).toBe(0);
});

test("known and unknown addresses get the same response, with exactly one verification each", async () => {
  const { email } = await person(w, "student", "active");
  const wrongPassword = await login(email, "wrong password");
  expect(verifications).toBe(1);
  const unknownAddress = await login(freshEmail(), "wrong password");
  expect(verifications).toBe(2);
  expect(wrongPassword).toMatchObject({ status: 401, code: "auth/invalid-credential" });
  expect(unknownAddress.body).toEqual(wrongPassword.body);
  await login(email);
  expect(verifications).toBe(3);
});

describe("the state of an account is only revealed after the correct password", () => {
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
    // The session that the factory created opens nothing either.
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

test("a login with the correct password replaces an older hash, a wrong one does not", async () => {
  const { email, id } = await person(w, "student", "active");
  const { db } = w.services.database;
  const salt = "00112233445566778899aabbccddeeff";
  const key = scryptSync(goodPassword, salt, 64, { N: 2 ** 14, r: 16, p: 1, maxmem: 2 ** 26 });
  const older = `${salt}:${key.toString("hex")}`;
  await db.update(account).set({ password: older }).where(eq(account.userId, id));
  const currentHash = async () => {
    const [row] = await db.select().from(account).where(eq(account.userId, id));
    return row?.password ?? "";
  };
  await login(freshEmail(), "wrong password");
  expect(supersedesOlder).toBe(true);
  await login(email, "wrong password");
  expect(await currentHash()).toBe(older);
  const caller = new Caller(w.app);
  expect((await login(email, goodPassword, caller)).status).toBe(200);
  expect(await currentHash()).toMatch(/^\$argon2id\$/);
  expect((await caller.call("account.me")).body).toMatchObject({ viewer: { id } });
  expect((await login(email)).status).toBe(200);
  expect(supersedesOlder).toBe(false);
});

test("a login is refused while too many wait, and does not count as an attempt", async () => {
  const { email } = await person(w, "student", "active");
  const { verify } = counting;
  counting.verify = () => Promise.reject(new Refusal("unavailable", { message: "Later.", retryAfter: 5 }));
  for (let times = 0; times < 40; times++) {
    const answer = await login(email);
    expect(answer).toMatchObject({ status: 503, code: "unavailable", message: "Later." });
    expect(answer.headers.get("retry-after")).toBe("5");
  }
  counting.verify = verify;
  expect((await login(email)).status).toBe(200);
  expect(supersedesOlder).toBe(false);
});

test("a sign-up is refused while too many wait, and does not count as an attempt", async () => {
  const { hash } = counting;
  counting.hash = () => Promise.reject(new Refusal("unavailable", { message: "Later.", retryAfter: 5 }));
  const address = "198.51.100.31";
  const signUp = () => new Caller(w.app, address).call("account.signUp", signUpForm());
  const busy = await signUp();
  expect(busy).toMatchObject({ status: 503, code: "unavailable", message: "Later." });
  expect(busy.headers.get("retry-after")).toBe("5");
  for (let times = 0; times < 100; times++) await signUp();
  counting.hash = hash;
  expect((await signUp()).status).toBe(200);
});

test("a login ends the browser's previous session, even if it was another account's", async () => {
  const [ada, obi] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const former = new Map(ada.caller.cookies);
  expect((await login(obi.email, goodPassword, ada.caller)).status).toBe(200);
  expect((await ada.caller.call("account.me")).body).toMatchObject({ viewer: { id: obi.id } });
  const thief = new Caller(w.app);
  for (const [name, value] of former) thief.cookies.set(name, value);
  expect((await thief.call("account.me")).body).toEqual({ viewer: null });
});

test("an admin's cookie ends with the browser, and the session after a day", async () => {
  const { email, id } = await person(w, "admin", "active");
  const answer = await login(email);
  const line = answer.headers.getSetCookie().find((each) => each.startsWith("wayfare.session_token"));
  expect(line).not.toContain("Max-Age");
  const { db } = w.services.database;
  const [newest] = await db.select().from(session).where(eq(session.userId, id)).orderBy(session.expiresAt);
  const hours = ((newest?.expiresAt.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThanOrEqual(24);
});

describe("over https", () => {
  let secure: Wayfare;
  beforeAll(async () => {
    secure = await wayfare({ variables: { BASE_URL: "https://wayfare.example" } });
  });
  afterAll(() => secure.stop());

  const cookiesOf = ({ headers }: { headers: Headers }) =>
    headers.getSetCookie().map((line) => [line.split("=", 1)[0], line.includes("Max-Age=0")] as const);

  test("every cookie is limited to this host, and logging out clears all but the device's", async () => {
    const { email } = await person(secure, "student", "active");
    const caller = new Caller(secure.app);
    const signedIn = await login(email, goodPassword, caller);
    expect(cookiesOf(signedIn)).toEqual([
      ["__Host-wayfare", false],
      ["__Host-wayfare-device", false],
      ["__Host-wayfare-hint", false],
    ]);
    for (const line of signedIn.headers.getSetCookie()) {
      expect(line).toMatch(/; Secure(;|$)/);
      expect(line).toContain("; Path=/;");
    }
    expect(cookiesOf(await caller.call("account.signOut"))).toEqual([
      ["__Host-wayfare", true],
      ["__Host-wayfare-hint", true],
    ]);
  });
});

test("a password that is reset while it is verified opens nothing", async () => {
  const { email, id } = await person(w, "student", "active");
  // Uses the current form, because logins hide older hashes as long as the database has one.
  const newHash = await quickPasswords.hash("another good phrase");
  const { verify } = counting;
  counting.verify = async (data) => {
    const isRight = await verify(data);
    await w.services.database.db.update(account).set({ password: newHash }).where(eq(account.userId, id));
    return isRight;
  };
  const answer = await login(email);
  counting.verify = verify;
  expect(answer.code).toBe("auth/invalid-credential");
});

test("sign-out ends the session on the server, not only in the browser", async () => {
  const { id, caller } = await person(w, "student", "active");
  const cookies = new Map(caller.cookies);
  expect((await caller.call("account.signOut")).status).toBe(200);
  expect(caller.cookies.size).toBe(0);
  for (const [name, value] of cookies) caller.cookies.set(name, value);
  expect((await caller.call("account.me")).body).toEqual({ viewer: null });
  const entries = await w.services.database.db.select().from(audit).where(eq(audit.actorId, id));
  expect(entries).toMatchObject([{ action: "sign-out", subjectId: id, address: "203.0.113.7" }]);
});

test("a forged, broken or foreign cookie is not accepted", async () => {
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
  for (const change of ["update audit set action = 'nothing'", "delete from audit", "truncate audit"]) {
    await expect(pool.query(change)).rejects.toThrow("permission denied for table audit");
    await expect(w.asOwner(change)).rejects.toThrow("append-only");
  }
});
