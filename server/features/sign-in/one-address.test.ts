import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { securityMail } from "#server/features/account/security-mails.ts";
import { user } from "#server/features/account/tables.ts";
import { Refusal } from "#server/refusal.ts";
import { Caller } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, person, signUpForm } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { verificationMail } from "./mails.ts";
import { HashingQueue } from "./passwords/hashing-queue.ts";
import { createPasswords, type Passwords } from "./passwords/passwords.ts";

/** Hashes one password at a time, as a machine with two cores does. */
const passwords = createPasswords(new HashingQueue({ concurrency: 1 }), {
  memory: 19_456,
  passes: 2,
  parallelism: 1,
});

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ passwords });
});
afterAll(() => w.stop());

const login = (email: string, address: string) =>
  new Caller(w.app, address).call("account.signIn", { email, password: goodPassword });

test("forty concurrent sign-ups from one address block neither log-in nor sign-up for others", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => person(w, "student", "active")));
  const hostile = new Caller(w.app, "192.0.2.1");
  const flood = Array.from({ length: 40 }, () => hostile.call("account.signUp", signUpForm()));
  const logins = people.map(({ email }, at) => login(email, `198.51.100.${at}`));
  const signUps = Array.from({ length: 4 }, (_, at) =>
    new Caller(w.app, `203.0.113.${at}`).call("account.signUp", signUpForm()),
  );
  expect((await Promise.all([...logins, ...signUps])).map(({ status }) => status)).toEqual(
    Array(10).fill(200),
  );
  const answers = (await Promise.all(flood)).map(({ code }) => code);
  expect(answers.filter((code) => code === "resource-exhausted").length).toBeGreaterThan(10);
});

/** Refuses, like a queue that others have filled. */
const busy = async () => {
  throw new Refusal("unavailable", { retryAfter: 5 });
};
const crowded: Passwords = { hash: busy, verify: busy, isOutdated: () => false };

test("an attempt that is refused by a full queue counts a fifth, and only for its IP address", async () => {
  const full = await wayfare({ passwords: crowded });
  const codesOf = async (number: number, address: string, procedure: string, input: () => object) => {
    const codes: (string | null)[] = [];
    for (let at = 0; at < number; at++)
      codes.push((await new Caller(full.app, address).call(procedure, input())).code);
    return codes;
  };
  const email = freshEmail();
  const credentials = () => ({ email, password: goodPassword });
  const signUps = await codesOf(500, "192.0.2.1", "account.signUp", signUpForm);
  expect(new Set(signUps)).toEqual(new Set(["unavailable", "auth/too-many-requests"]));
  expect(signUps.indexOf("auth/too-many-requests")).toBe(496);
  // The failures do not lock the account, which would be locked after ten ordinary ones.
  expect(new Set(await codesOf(60, "192.0.2.2", "account.signIn", credentials))).toEqual(
    new Set(["unavailable"]),
  );
  await full.stop();
});

test("an email address that accounts want to move to gets three mails per hour from all of them", async () => {
  const target = freshEmail("bombed");
  const codes: (string | null)[] = [];
  for (let at = 0; at < 8; at++) {
    const { caller } = await person(w, "student", "active");
    codes.push((await caller.call("profile.changeEmail", { email: target, password: goodPassword })).code);
  }
  expect(codes).toEqual([null, null, null, ...Array(5).fill("resource-exhausted")]);
  const other = await person(w, "student", "active");
  const elsewhere = await other.caller.call("profile.changeEmail", {
    email: freshEmail(),
    password: goodPassword,
  });
  expect(elsewhere.code).toBeNull();
});

test("a mail to an unverified address does not greet the holder by the name that was entered", async () => {
  const { id } = await person(w, "student", "active");
  const { db } = w.services.database;
  const greetingOf = async () => {
    const data = { userId: id, event: "password-changed" as const, at: 0, details: [] };
    return (await securityMail.write(w.services, data))?.text.split("\n")[0];
  };
  await db.update(user).set({ firstName: "You won a prize" }).where(eq(user.id, id));
  expect(await greetingOf()).toBe("Hello You won a prize,");
  await db.update(user).set({ emailVerified: false }).where(eq(user.id, id));
  expect(await greetingOf()).toBe("Hello,");
  const mail = await verificationMail.write(w.services, { userId: id });
  expect(mail?.text).toMatch(/^Hello,/);
  expect(mail?.text).not.toContain("prize");
});
