import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resetMail } from "#server/features/sign-in/mails.ts";
import { Caller } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

let host = 1;
const freshAddress = () => `198.51.100.${++host}`;
const attempt = (email: string, password: string, address: string, headers: Record<string, string> = {}) =>
  new Caller(w.app, address).call("account.signIn", { email, password }, { headers });
const fail = async (times: number, email: () => string, address: () => string) =>
  await Promise.all(Array.from({ length: times }, () => attempt(email(), "wrong", address())));

test("10 failures lock an account from every address, and say for how long", async () => {
  const { email } = await person(w, "student", "active");
  const failures = await fail(10, () => email, freshAddress);
  expect(failures.every(({ code }) => code === "auth/invalid-credential")).toBe(true);
  const locked = await attempt(email, goodPassword, freshAddress());
  expect(locked).toMatchObject({ status: 429, code: "auth/too-many-requests" });
  const seconds = Number(locked.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(600);
  // Nobody else is affected.
  const other = await person(w, "student", "active");
  expect((await attempt(other.email, goodPassword, freshAddress())).status).toBe(200);
});

test("the server checks 10 of 30 concurrent guesses", async () => {
  const { email } = await person(w, "student", "active");
  const answers = await fail(30, () => email, freshAddress);
  expect(answers.filter(({ code }) => code === "auth/invalid-credential")).toHaveLength(10);
  expect(answers.filter(({ code }) => code === "auth/too-many-requests")).toHaveLength(20);
});

test("an unknown account is locked in the same way", async () => {
  const email = freshEmail();
  await fail(10, () => email, freshAddress);
  expect((await attempt(email, "wrong", freshAddress())).code).toBe("auth/too-many-requests");
});

test("50 failures lock an address; a spoofed X-Forwarded-For changes nothing", async () => {
  const address = freshAddress();
  const failures = await fail(50, freshEmail, () => address);
  expect(failures.every(({ code }) => code === "auth/invalid-credential")).toBe(true);
  const { email } = await person(w, "student", "active");
  const spoofed = {
    "x-forwarded-for": "203.0.113.200",
    "x-real-ip": "203.0.113.200",
    forwarded: "for=203.0.113.200",
  };
  expect((await attempt(email, goodPassword, address, spoofed)).code).toBe("auth/too-many-requests");
  expect((await attempt(email, goodPassword, freshAddress())).status).toBe(200);
});

test("30 successful logins lock an account for 10 minutes", async () => {
  const { email } = await person(w, "student", "active");
  // The account knows this browser from the first login on, so its failures are counted per browser.
  const browser = new Caller(w.app);
  const input = { email, password: goodPassword };
  const login = () => browser.call("account.signIn", input, { address: freshAddress() });
  for (let times = 0; times < 30; times++) expect((await login()).status).toBe(200);
  expect(await login()).toMatchObject({ status: 429, code: "auth/too-many-requests" });
});

test("150 logins from one address, to any accounts, lock it for 10 minutes", async () => {
  const address = freshAddress();
  const people = await Promise.all(Array.from({ length: 6 }, () => person(w, "student", "active")));
  for (const { email } of people)
    for (let times = 0; times < 25; times++)
      expect((await attempt(email, goodPassword, address)).status).toBe(200);
  const { email } = await person(w, "student", "active");
  expect((await attempt(email, goodPassword, address)).code).toBe("auth/too-many-requests");
  expect((await attempt(email, goodPassword, freshAddress())).status).toBe(200);
});

describe("strangers who fail on purpose", () => {
  const knownBrowser = async (email: string, password = goodPassword) => {
    const caller = new Caller(w.app, freshAddress());
    expect((await caller.call("account.signIn", { email, password })).status).toBe(200);
    await caller.call("account.signOut");
    return caller;
  };
  const login = (caller: Caller, email: string, password = goodPassword) =>
    caller.call("account.signIn", { email, password }, { address: freshAddress() });

  test("do not lock out a browser that has logged in before", async () => {
    const { email } = await person(w, "student", "active");
    const caller = await knownBrowser(email);
    await fail(10, () => email, freshAddress);
    expect((await attempt(email, goodPassword, freshAddress())).status).toBe(429);
    expect((await login(caller, email)).status).toBe(200);
  });

  test("leave a known browser 10 failures of its own, for its own account only", async () => {
    const [ada, obi] = [await person(w, "student", "active"), await person(w, "student", "active")];
    const caller = await knownBrowser(ada.email);
    for (let times = 0; times < 10; times++)
      expect((await login(caller, ada.email, "wrong")).code).toBe("auth/invalid-credential");
    expect((await login(caller, ada.email)).status).toBe(429);
    expect((await attempt(ada.email, goodPassword, freshAddress())).status).toBe(200);
    await fail(10, () => obi.email, freshAddress);
    expect((await login(caller, obi.email)).status).toBe(429);
  });

  test("do not lock out the browser in which a mailed reset was made", async () => {
    const { email } = await person(w, "student", "active");
    const caller = new Caller(w.app, freshAddress());
    await caller.call("account.requestPasswordReset", { email });
    const { link } = await w.mail(email, /new password/);
    const token = new URL(link ?? "").searchParams.get("token");
    const password = "another good phrase";
    await caller.call("account.setPassword", { token, password, confirmPassword: password });
    await fail(10, () => email, freshAddress);
    expect((await login(caller, email, password)).status).toBe(200);
  });

  test("can't forge the cookie of a known browser", async () => {
    const { email } = await person(w, "student", "active");
    const { cookies } = await knownBrowser(email);
    const [name, value = ""] = [...cookies].find(([name]) => name.includes("device")) ?? [""];
    await fail(10, () => email, freshAddress);
    for (const forged of ["", ".", "x.y", `x${value}`, value.replace(/\..*/, "")]) {
      const stranger = new Caller(w.app);
      stranger.cookies.set(name, forged);
      expect((await login(stranger, email)).status, forged).toBe(429);
    }
  });
});

test("a mailed reset clears the account's lock", async () => {
  const { email } = await person(w, "student", "active");
  await fail(10, () => email, freshAddress);
  const caller = new Caller(w.app, freshAddress());
  await caller.call("account.requestPasswordReset", { email });
  const { link } = await w.mail(email, /new password/);
  const token = new URL(link ?? "").searchParams.get("token");
  const password = "another good phrase";
  expect(
    (await caller.call("account.setPassword", { token, password, confirmPassword: password })).status,
  ).toBe(200);
  expect((await attempt(email, password, freshAddress())).status).toBe(200);
});

test("counters contain no email or network addresses", async () => {
  const [email, address] = [freshEmail("counted"), "198.51.100.77"];
  await attempt(email, "wrong", address);
  await new Caller(w.app, address).call("account.requestPasswordReset", { email });
  const { pool } = w.services.database;
  const { rows } = await pool.query("select key from rate_limit union all select key from brief_limit");
  expect(rows.length).toBeGreaterThan(2);
  const json = JSON.stringify(rows);
  for (const text of [email, address]) expect(json).not.toContain(text);
});

test("reset emails are limited to 5 an hour per account, and requests to 50 in ten minutes per address", async () => {
  const { email } = await person(w, "student", "active");
  const mails = [];
  for (let times = 0; times < 6; times++) mails.push(await resetMail.write(w.services, { email }));
  expect(mails.map((mail) => mail !== null)).toEqual([true, true, true, true, true, false]);
  const caller = new Caller(w.app, freshAddress());
  const ask = () => caller.call("account.requestPasswordReset", { email: freshEmail() });
  const answers = [];
  for (let times = 0; times < 51; times++) answers.push((await ask()).code);
  expect(answers.filter((code) => code === null)).toHaveLength(50);
  expect(answers.at(-1)).toBe("auth/too-many-requests");
});

test("attempts at emailed links are limited to 100 in ten minutes per address", async () => {
  const caller = new Caller(w.app, freshAddress());
  const token = "unknown";
  const answers = [];
  for (let times = 0; times < 100; times++)
    answers.push((await caller.call("account.passwordLink", { token })).code);
  expect(new Set(answers)).toEqual(new Set(["auth/invalid-action-code"]));
  for (const procedure of ["passwordLink", "verifyEmail"])
    expect((await caller.call(`account.${procedure}`, { token })).code).toBe("auth/too-many-requests");
});
