import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { authenticatorOf, codeOf, wrongCodeOf } from "#tests/support/authenticator.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { askForEmail, confirmEmail, linkedEmail, mailedEmail } from "#tests/support/email-change.ts";
import {
  freshEmail,
  goodPassword,
  type Person,
  person,
  signUpForm,
  storedUser,
} from "#tests/support/factories.ts";
import { addPasskey } from "#tests/support/passkeys.ts";
import { openStream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { ADMIN_EMAILS: "boss@example.org" } });
});
afterAll(() => w.stop());

const confirm = (token: string) => confirmEmail(w, token);
const linked = (who: Person, email?: string) => linkedEmail(w, who, email);
const login = (email: string, password = goodPassword) =>
  new Caller(w.app).call("account.signIn", { email, password });
const mailed = (who: Person) => mailedEmail(w, who);

test.each([
  ["student", "active"],
  ["agent", "approved"],
] as const)(
  "the old address of an %s stays valid until the mailed link is opened, and the new one replaces it",
  async (role, status) => {
    const who = await person(w, role, status);
    await w.services.database.db.update(user).set({ emailVerified: false }).where(eq(user.id, who.id));
    const { email, token } = await mailed(who);
    expect(await storedUser(w, who.id)).toMatchObject({ email: who.email, emailVerified: false });
    expect((await login(who.email)).status).toBe(200);
    expect((await login(email)).code).toBe("auth/invalid-credential");

    expect((await confirm(token)).status).toBe(200);
    expect(await storedUser(w, who.id)).toMatchObject({ email, emailVerified: true });
    expect((await login(email)).status).toBe(200);
    expect((await login(who.email)).code).toBe("auth/invalid-credential");
    // Existing sessions continue.
    expect((await who.caller.call("account.me")).body).toMatchObject({ viewer: { email } });
    expect((await w.mail(who.email, /address was changed/)).link).toBeUndefined();
    const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, who.id));
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["email-change-asked", "email-changed"]),
    );
    expect(JSON.stringify(entries)).not.toContain("@");
  },
);

test("open pages of the holder are notified", async () => {
  const who = await person(w, "student", "active");
  const { token } = await linked(who);
  const stream = await openStream(who.caller);
  await confirm(token);
  expect(await stream.next()).toBe("account");
  await stream.leave();
});

describe("the password", () => {
  test("must be correct, and each wrong one counts as a failed login", async () => {
    const who = await person(w, "student", "active");
    expect(await askForEmail(who, freshEmail(), "")).toMatchObject({
      message: "Please enter your password.",
    });
    for (let times = 0; times < 10; times++)
      expect(await askForEmail(who, freshEmail(), "wrong")).toMatchObject({
        status: 401,
        code: "auth/wrong-password",
        body: { data: { field: "password" } },
      });
    const locked = await askForEmail(who, freshEmail());
    expect(locked).toMatchObject({ status: 429, code: "auth/too-many-requests" });
    expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await login(who.email)).code).toBe("auth/too-many-requests");
  });

  test("is checked at most ten times for twenty concurrent wrong ones", async () => {
    const who = await person(w, "student", "active");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => askForEmail(who, freshEmail(), "wrong")),
    );
    expect(answers.filter(({ code }) => code === "auth/wrong-password")).toHaveLength(10);
    expect(answers.filter(({ code }) => code === "auth/too-many-requests")).toHaveLength(10);
  });
});

describe("a thief of the password", () => {
  /** Logs in a thief who requests to move the account to their own mailbox. */
  async function startTheft(holder?: Person) {
    const who = holder ?? (await person(w, "student", "active"));
    const thief = new Caller(w.app);
    await thief.api.account.signIn({ email: who.email, password: goodPassword, code: "" });
    const { email, token } = await mailed({ ...who, caller: thief });
    return { who, email, token };
  }

  const addsPasskey = ({ caller }: Person) =>
    addPasskey(caller, new AuthenticatorDevice(w.environment.baseUrl));
  const factors = { app: authenticatorOf, passkey: addsPasskey };

  test("can't move the account once its holder has set up a second factor", async () => {
    for (const [factor, add] of Object.entries(factors)) {
      const { who, token } = await startTheft();
      await add(who);
      expect((await confirm(token)).code, factor).toBe("auth/invalid-action-code");
      expect(await storedUser(w, who.id), factor).toMatchObject({ email: who.email });
      expect((await who.caller.call("profile.mine")).body).toMatchObject({ pendingEmail: null });
    }
  });

  test("can't move the account of a holder with a passkey once they have added another factor", async () => {
    for (const [factor, add] of Object.entries(factors)) {
      const who = await person(w, "student", "active");
      await addsPasskey(who);
      const { token } = await startTheft(who);
      await add(who);
      expect((await confirm(token)).code, factor).toBe("auth/invalid-action-code");
      expect(await storedUser(w, who.id), factor).toMatchObject({ email: who.email });
    }
  });

  test("can't move the account once its holder has logged out other devices, or one of them", async () => {
    const all = await startTheft();
    await all.who.caller.call("account.signOutOthers");
    expect((await confirm(all.token)).code).toBe("auth/invalid-action-code");
    const one = await startTheft();
    const { devices } = await one.who.caller.api.account.devices();
    const id = devices.find(({ current }) => !current)?.id;
    await one.who.caller.call("account.signOutDevice", { id });
    expect((await confirm(one.token)).code).toBe("auth/invalid-action-code");
  });

  test("can't request a change in a session that ends in the meantime", async () => {
    for (let round = 0; round < 8; round++) {
      const who = await person(w, "student", "active");
      const thief = new Caller(w.app);
      await thief.api.account.signIn({ email: who.email, password: goodPassword, code: "" });
      await Promise.all([
        askForEmail({ ...who, caller: thief }, freshEmail()),
        who.caller.call("account.signOutOthers"),
      ]);
      expect((await who.caller.call("profile.mine")).body).toMatchObject({ pendingEmail: null });
    }
  });

  test("is revealed by a mail to the current address", async () => {
    const { who } = await startTheft();
    await w.mail(who.email, /^Someone asked to change your email address$/);
  });
});

describe("the link of an account with an app, opened where it isn't logged in", () => {
  test("requires the code besides the password; a wrong one counts as a failed login", async () => {
    const who = await person(w, "student", "active");
    const { key, recoveryCodes } = await authenticatorOf(who);
    const { email, token } = await linked(who);
    const withCode = (code: string) =>
      new Caller(w.app).call("account.verifyEmail", { token, password: goodPassword, code });
    expect(await withCode("")).toMatchObject({ status: 401, code: "account/second-factor" });
    expect(await withCode(wrongCodeOf(key))).toMatchObject({
      code: "auth/invalid-verification-code",
      body: { data: { field: "code" } },
    });
    expect(await storedUser(w, who.id)).toMatchObject({ email: who.email });
    const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, who.id));
    expect(entries.map(({ detail }) => detail)).toContainEqual({
      refusal: "auth/invalid-verification-code",
    });
    expect((await withCode(codeOf(key, 1))).body).toEqual({ email, isNew: true });

    const other = await linked({ ...who, email });
    const recovery = { token: other.token, password: goodPassword, code: recoveryCodes[0] };
    expect((await new Caller(w.app).call("account.verifyEmail", recovery)).status).toBe(200);
  });

  test("requires nothing in a session of that account", async () => {
    const who = await person(w, "student", "active");
    await authenticatorOf(who);
    const { email, token } = await linked(who);
    expect((await who.caller.call("account.verifyEmail", { token })).body).toEqual({ email, isNew: true });
  });
});

test("an invalid address, or the current one, is refused", async () => {
  const who = await person(w, "student", "active");
  expect(await askForEmail(who, " ")).toMatchObject({
    code: "auth/invalid-email",
    message: "Please enter your email address.",
  });
  expect((await askForEmail(who, "ada@example")).code).toBe("auth/invalid-email");
  expect(await askForEmail(who, who.email.toUpperCase())).toMatchObject({
    message: "This is already your email address.",
  });
});

describe("an unavailable address", () => {
  async function denied() {
    const email = freshEmail("denied");
    await w.services.database.db
      .insert(deniedAgent)
      .values({ id: email, email, password: "x", deniedBy: "x" });
    return email;
  }

  test("gets the same response; only its own mailbox gets a mail, and nothing changes", async () => {
    const free = await askForEmail(await person(w, "student", "active"), freshEmail());
    const agentEmail = (await person(w, "agent", "approved")).email;
    const who = await person(w, "student", "active");
    const emails = [agentEmail, "boss@example.org", await denied()];
    for (const email of emails) {
      const answer = await askForEmail(who, email);
      expect([answer.status, answer.body]).toEqual([free.status, free.body]);
    }
    const mails = await Promise.all(emails.map((email) => w.mail(email, /Your email address at Wayfare/)));
    expect(mails.map(({ link }) => link)).toEqual([undefined, undefined, undefined]);
    expect(await storedUser(w, who.id)).toMatchObject({ email: who.email });
  });

  test("is refused if it was taken or denied after the link was mailed", async () => {
    const { db } = w.services.database;
    const bySignUp = await linked(await person(w, "student", "active"));
    const form = signUpForm({ email: bySignUp.email });
    expect((await new Caller(w.app).call("account.signUp", form)).status).toBe(200);
    const byDenial = await linked(await person(w, "student", "active"));
    const { email } = byDenial;
    await db.insert(deniedAgent).values({ id: email, email, password: "x", deniedBy: "x" });
    for (const { token } of [bySignUp, byDenial])
      expect(await confirm(token)).toMatchObject({ status: 409, code: "auth/email-already-in-use" });
    const [row] = await db.select().from(user).where(eq(user.email, byDenial.email));
    expect(row).toBeUndefined();
  });

  test("goes to only one of a sign-up and two changes that are concurrent", async () => {
    for (let round = 0; round < 8; round++) {
      const [one, two] = [await person(w, "student", "active"), await person(w, "student", "active")];
      const email = freshEmail();
      const [first, second] = [await linked(one, email), await linked(two, email)];
      const answers = await Promise.all([
        confirm(first.token),
        confirm(second.token),
        new Caller(w.app).call("account.signUp", signUpForm({ email })),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ code }) => code === "auth/email-already-in-use")).toHaveLength(2);
    }
  });
});

test("five changes can be requested per hour", async () => {
  const who = await person(w, "student", "active");
  for (let times = 0; times < 5; times++) expect((await askForEmail(who, freshEmail())).status).toBe(200);
  expect(await askForEmail(who, freshEmail())).toMatchObject({ status: 429, code: "resource-exhausted" });
});
