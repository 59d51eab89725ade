import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { freshEmail, person, signUpForm, storedUser } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { ADMIN_EMAILS: "boss@example.org" } });
});
afterAll(() => w.stop());

const idOf = (body: unknown) => textIn(body, "id");
const rowsOf = (email: string) => w.services.database.db.select().from(user).where(eq(user.email, email));

test("a student is active immediately and signed in", async () => {
  const caller = new Caller(w.app);
  const form = signUpForm({ firstName: "  Ada ", email: " Ada.Obi@Example.org ", phone: " +234 80 1234 " });
  const answer = await caller.call("account.signUp", form);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ role: "student", status: "active", email: "ada.obi@example.org" });
  const me = await caller.call("account.me");
  expect(me.body).toMatchObject({
    viewer: { firstName: "Ada", phone: "+234 80 1234", emailVerified: false },
  });
  expect(await storedUser(w, idOf(answer.body))).toMatchObject({
    agency: "",
    country: "",
    termsVersion: expect.any(String),
  });
});

test("an agent is pending, with agency and country", async () => {
  const answer = await new Caller(w.app).call(
    "account.signUp",
    signUpForm({ role: "agent", agency: " North " }),
  );
  expect(answer.body).toMatchObject({ role: "agent", status: "pending" });
  expect(await storedUser(w, idOf(answer.body))).toMatchObject({ agency: "North", country: "NG" });
});

test("fields that a sign-up must not set are ignored", async () => {
  const hostile = {
    status: "approved",
    emailVerified: true,
    id: "mine",
    approvedAt: "2026-01-01",
    approvedBy: "me",
  };
  const answer = await new Caller(w.app).call("account.signUp", {
    ...signUpForm({ role: "agent" }),
    ...hostile,
  });
  expect(await storedUser(w, idOf(answer.body))).toMatchObject({
    status: "pending",
    emailVerified: false,
    approvedAt: null,
    approvedBy: null,
  });
  const form = signUpForm();
  const asAdmin = await new Caller(w.app).call("account.signUp", { ...form, role: "admin" });
  expect(asAdmin).toMatchObject({ status: 422, message: "Please select your role (Student or Agent)." });
  expect(await rowsOf(form.email)).toEqual([]);
});

test("a refused form says why and stores nothing", async () => {
  const form = signUpForm({ password: "12345", confirmPassword: "12345" });
  const answer = await new Caller(w.app).call("account.signUp", form);
  expect(answer).toMatchObject({
    status: 422,
    code: "auth/weak-password",
    message: "Password must be at least 6 characters long.",
  });
  expect(await rowsOf(form.email)).toEqual([]);
});

test("common passwords are refused with the catalogue's message", async () => {
  const answer = await new Caller(w.app).call(
    "account.signUp",
    signUpForm({ password: "PassWord1", confirmPassword: "PassWord1" }),
  );
  expect(answer).toMatchObject({ code: "auth/weak-password", message: expect.stringContaining("too weak") });
});

test("a name can't bring a message or an address into a mail, or be invisible", async () => {
  for (const [firstName, message] of [
    ["A\r\nBcc: all@example.org\r\n\r\nPay at once", "contains characters that can't be used"],
    ["Pay at http://evil.example/", "looks like a web address"],
    ["\u202e\u2066", "Please enter your first name."],
  ] as const) {
    const form = signUpForm({ firstName });
    const answer = await new Caller(w.app).call("account.signUp", form);
    expect(answer).toMatchObject({ status: 422, message: expect.stringContaining(message) });
    expect(await rowsOf(form.email)).toEqual([]);
  }
});

describe("an address that is taken is refused", () => {
  test.each([
    ["in another letter case", (email: string) => email.toUpperCase()],
    ["with spaces around", (email: string) => `  ${email} `],
  ])("%s", async (_how, change) => {
    const form = signUpForm();
    await new Caller(w.app).call("account.signUp", form);
    const again = await new Caller(w.app).call("account.signUp", { ...form, email: change(form.email) });
    expect(again).toMatchObject({ status: 409, code: "auth/email-already-in-use" });
  });

  test("if it belongs to a listed admin", async () => {
    const answer = await new Caller(w.app).call("account.signUp", signUpForm({ email: "Boss@example.org" }));
    expect(answer.code).toBe("auth/email-already-in-use");
  });

  test("by nine of ten concurrent sign-ups", async () => {
    const email = freshEmail();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => new Caller(w.app).call("account.signUp", signUpForm({ email }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === "auth/email-already-in-use")).toHaveLength(9);
    expect(await rowsOf(email)).toHaveLength(1);
  });
});

test("an admin's address is refused like every other taken address, with the same response and limits", async () => {
  const address = "198.51.100.77";
  const { email } = await person(w, "student", "active");
  const signUp = (email: string) => new Caller(w.app, address).call("account.signUp", signUpForm({ email }));
  const [ofAdmin, ofStudent] = [await signUp("boss@example.org"), await signUp(email)];
  expect(ofAdmin.body).toEqual(ofStudent.body);
  for (let times = 2; times < 100; times++)
    expect((await signUp("boss@example.org")).code).toBe("auth/email-already-in-use");
  expect((await signUp("boss@example.org")).code).toBe("auth/too-many-requests");
});

test("account, audit and mail are one transaction: none remains when the last step fails", async () => {
  const form = signUpForm();
  const { sessions } = w.services;
  const { open } = sessions;
  sessions.open = () => Promise.reject(new Error("the process was out of luck"));
  const answer = await new Caller(w.app).call("account.signUp", form);
  sessions.open = open;
  expect(answer).toMatchObject({ status: 500, code: "internal" });
  expect(answer.message).not.toContain("luck");
  expect(await rowsOf(form.email)).toEqual([]);
  // The next sign-up's mail arrives, so the queue works, and the failed sign-up sent none.
  const next = signUpForm();
  await new Caller(w.app).call("account.signUp", next);
  await w.mail(next.email, /verify/);
  expect(w.log.some((line) => line.to === form.email)).toBe(false);
});

test("the mailed link verifies the address, and succeeds again when it is opened again", async () => {
  const caller = new Caller(w.app);
  const form = signUpForm();
  const { body } = await caller.call("account.signUp", form);
  const { link } = await w.mail(form.email, /verify/);
  const token = new URL(link ?? "").searchParams.get("token");
  expect((await caller.call("account.verifyEmail", { token })).status).toBe(200);
  expect((await caller.call("account.me")).body).toMatchObject({ viewer: { emailVerified: true } });
  expect((await caller.call("account.verifyEmail", { token })).status).toBe(200);
  const { db } = w.services.database;
  const verified = await db.select().from(audit).where(eq(audit.action, "email-verified"));
  expect(verified.filter(({ subjectId }) => subjectId === idOf(body))).toHaveLength(1);
});

test("the mailed link leads on to the page that the user wanted, but only within Wayfare", async () => {
  const linkAfter = async (next: string) => {
    const form = { ...signUpForm(), next };
    expect((await new Caller(w.app).call("account.signUp", form)).status).toBe(200);
    return new URL((await w.mail(form.email, /verify/)).link ?? "").searchParams.get("next");
  };
  expect(await linkAfter("/product/1?from=a&b")).toBe("/product/1?from=a&b");
  expect(await linkAfter("//evil.example")).toBeNull();
  expect(await linkAfter("https://evil.example/")).toBeNull();
});

test("a verification mail can be requested again, within limits", async () => {
  const caller = new Caller(w.app);
  const form = signUpForm();
  await caller.call("account.signUp", form);
  for (let times = 0; times < 5; times++)
    expect((await caller.call("account.resendVerification")).status).toBe(200);
  expect(await caller.call("account.resendVerification")).toMatchObject({ status: 429 });
  await until(() => w.log.filter((line) => line.to === form.email).length === 6);
});

test("sign-up is in the audit log", async () => {
  const answer = await new Caller(w.app, "198.51.100.4").call("account.signUp", signUpForm());
  const entries = await w.services.database.db
    .select()
    .from(audit)
    .where(eq(audit.subjectId, idOf(answer.body)));
  expect(entries).toMatchObject([{ action: "sign-up", address: "198.51.100.4" }]);
});
