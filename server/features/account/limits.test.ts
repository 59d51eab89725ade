import { afterAll, beforeAll, expect, test } from "vitest";
import { Caller } from "#tests/caller.ts";
import { freshEmail, goodPassword, person } from "#tests/factories.ts";
import { type Wayfare, wayfare } from "#tests/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  // Which limit is counted does not depend on how long a real hash takes.
  w = await wayfare({
    passwords: { hash: async (text) => text, verify: async (data) => data.hash === data.password },
  });
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

test("of 30 guesses at the same moment 10 are looked at", async () => {
  const { email } = await person(w, "student", "active");
  const answers = await fail(30, () => email, freshAddress);
  expect(answers.filter(({ code }) => code === "auth/invalid-credential")).toHaveLength(10);
  expect(answers.filter(({ code }) => code === "auth/too-many-requests")).toHaveLength(20);
});

test("an unknown account locks alike", async () => {
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

test("right logins are not counted", async () => {
  const { email } = await person(w, "student", "active");
  const address = freshAddress();
  for (let times = 0; times < 12; times++)
    expect((await attempt(email, goodPassword, address)).status).toBe(200);
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
