import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { apiKey } from "#server/features/api-keys/tables.ts";
import { webhook as webhookTable } from "#server/features/notifications/tables.ts";
import { passkey, secondFactor } from "#server/features/second-factor/tables.ts";
import { signInWithPasskey, tokenFor } from "#tests/access/credentials.ts";
import { authenticatorOf, codeOf } from "#tests/support/authenticator.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, person, signUpForm, storedUser } from "#tests/support/factories.ts";
import { proveMailbox } from "#tests/support/mailed-code.ts";
import { addPasskey, optionsOf } from "#tests/support/passkeys.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { writtenMail } from "#tests/support/written-mails.ts";

const newPassword = "a quite different phrase";
const futureAdmin = freshEmail("admin");
let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { WEBHOOKS_ALLOW_PRIVATE: "on" } });
});
afterAll(() => w.stop());

const login = (email: string, password: string, code = "", caller = new Caller(w.app)) =>
  caller.call("account.signIn", { email, password, code });
const setPassword = (token: string, more: object = {}) =>
  new Caller(w.app).call("account.setPassword", {
    token,
    password: newPassword,
    confirmPassword: newPassword,
    ...more,
  });
const reset = async (userId: string) => await setPassword(await tokenFor(w, { purpose: "reset", userId }));
const device = () => new AuthenticatorDevice(w.environment.baseUrl);

/** Signs up a stranger with another person's address, and adds the factors that older versions allowed. */
async function squatter(email: string) {
  const caller = new Caller(w.app);
  const { id } = await caller.api.account.signUp(signUpForm({ email }));
  const { db } = w.services.database;
  await db.update(user).set({ emailVerified: true }).where(eq(user.id, id));
  const stolen = device();
  await addPasskey(caller, stolen);
  const app = await authenticatorOf({ caller });
  await db.update(user).set({ emailVerified: false }).where(eq(user.id, id));
  return { id, email, caller, stolen, app };
}

describe("an account whose address was not verified", () => {
  test("can add neither a passkey nor an app until the link is opened", async () => {
    const caller = new Caller(w.app);
    const form = signUpForm();
    const { id } = await caller.api.account.signUp(form);
    const refused = { status: 403, code: "account/unverified" };
    for (const [procedure, input] of [
      ["startPasskey", {}],
      ["startAuthenticator", {}],
      ["confirmAuthenticator", { code: "123456" }],
    ] as const)
      expect(await caller.call(`signInMethods.${procedure}`, input), procedure).toMatchObject(refused);
    const options = await w.services.passkeys.creationOptions({
      userId: id,
      email: form.email,
      credentials: [],
    });
    const attestation = device().create(options);
    expect(await caller.call("signInMethods.addPasskey", { passkey: attestation })).toMatchObject(refused);
    const token = await tokenFor(w, { purpose: "verify", userId: id, email: form.email });
    expect((await caller.call("account.verifyEmail", { token })).status).toBe(200);
    expect((await addPasskey(caller, device())).status).toBe(200);
    expect((await authenticatorOf({ caller })).recoveryCodes).toHaveLength(10);
  });

  test("can add neither an API key nor a webhook", async () => {
    const agent = await person(w, "agent", "approved");
    await w.services.database.db.update(user).set({ emailVerified: false }).where(eq(user.id, agent.id));
    const key = { name: "CRM", scopes: ["students:read"], days: null };
    expect((await agent.caller.call("apiKeys.create", key)).code).toBe("account/unverified");
    const webhook = { url: "http://127.0.0.1:9/", events: ["application.moved"] };
    expect((await agent.caller.call("webhooks.add", webhook)).code).toBe("account/unverified");
  });

  test("is controlled only by the holder of its mailbox after a reset by link", async () => {
    const { id, email, caller, stolen } = await squatter(freshEmail());
    const { body } = await reset(id);
    expect(body).toEqual({
      ended: { authenticator: true, passkeys: 1, apiKeys: 0, webhooks: 0, calendar: false, deletion: false },
      remaining: { authenticator: false, passkeys: 0 },
    });
    expect((await caller.api.account.me()).viewer).toBeNull();
    expect((await signInWithPasskey(w, stolen)).code).toBe("auth/invalid-credential");
    // The stranger's app doesn't keep the holder out either.
    expect((await login(email, newPassword)).status).toBe(200);
  });

  test("no longer knows the stranger's browser: another login there is emailed", async () => {
    const { id, email, caller } = await squatter(freshEmail());
    await reset(id);
    expect((await login(email, newPassword, "", caller)).status).toBe(200);
    await w.mail(email, /^New login to your account/);
  });

  test("keeps nothing of the stranger when it becomes an admin's by the link", async () => {
    const { stolen, app } = await squatter(futureAdmin);
    const required = await wayfare({
      variables: { ADMIN_EMAILS: futureAdmin, SECOND_FACTOR_REQUIRED: "admins,agents" },
      on: w.address,
    });
    onTestFinished(() => required.stop());
    const token = await tokenFor(required, { purpose: "admin", email: futureAdmin });
    const boss = new Caller(required.app);
    const { secondFactor: enrolment } = await boss.api.account.passwordLink({ token });
    const answer = await boss.call("account.setPassword", {
      token,
      password: newPassword,
      confirmPassword: newPassword,
      code: codeOf(enrolment?.key ?? ""),
    });
    expect(answer.body).toMatchObject({ remaining: { authenticator: true, passkeys: 0 } });
    expect((await signInWithPasskey(required, stolen)).code).toBe("auth/invalid-credential");
    const withCode = (code: string) =>
      new Caller(required.app).call("account.signIn", { email: futureAdmin, password: newPassword, code });
    for (const code of [codeOf(app.key, 1), app.recoveryCodes[0] ?? ""])
      expect((await withCode(code)).code).toBe("auth/invalid-verification-code");
    expect((await withCode(codeOf(enrolment?.key ?? "", 1))).status).toBe(200);
  });
});

describe("a link that verifies an address", () => {
  async function signedUp() {
    const caller = new Caller(w.app);
    const form = signUpForm();
    const { id } = await caller.api.account.signUp(form);
    return { id, caller, email: form.email };
  }
  const tokenOf = ({ id, email }: { id: string; email: string }) =>
    tokenFor(w, { purpose: "verify", userId: id, email });
  const isVerified = async (id: string) => (await storedUser(w, id))?.emailVerified;

  test("requires the password outside the account's session", async () => {
    const ada = await signedUp();
    const token = await tokenOf(ada);
    const stranger = await person(w, "student", "active");
    for (const caller of [new Caller(w.app), stranger.caller]) {
      const verify = (password?: string) => caller.call("account.verifyEmail", { token, password });
      expect(await verify()).toMatchObject({
        code: "form/incomplete",
        body: { data: { field: "password" } },
      });
      expect((await verify("not the password")).code).toBe("auth/wrong-password");
      expect(await isVerified(ada.id)).toBe(false);
    }
    const phone = new Caller(w.app);
    expect((await phone.call("account.verifyEmail", { token, password: goodPassword })).status).toBe(200);
    expect(await isVerified(ada.id)).toBe(true);
    // The link reports success again to anyone who opens it.
    expect((await new Caller(w.app).call("account.verifyEmail", { token })).status).toBe(200);
  });

  test("counts wrong passwords as failed logins", async () => {
    const ada = await signedUp();
    const token = await tokenOf(ada);
    const verify = (password: string) => new Caller(w.app).call("account.verifyEmail", { token, password });
    for (let times = 0; times < 10; times++)
      expect((await verify("not the password")).code).toBe("auth/wrong-password");
    expect((await verify(goodPassword)).code).toBe("auth/too-many-requests");
  });
});

describe("a reset by link of a holder who is locked out", () => {
  test("removes the thief's recent app and cancels the deletion", async () => {
    const ada = await person(w, "student", "active");
    const thief = new Caller(w.app);
    await login(ada.email, goodPassword, "", thief);
    await authenticatorOf({ caller: thief });
    expect((await thief.call("account.requestDeletion")).status).toBe(200);
    const { body } = await reset(ada.id);
    expect(body).toMatchObject({ ended: { authenticator: true, deletion: true } });
    expect((await login(ada.email, newPassword)).body).toMatchObject({ status: "active" });
    await w.mail(ada.email, /^Your password was set/);
  });

  test("keeps older factors, lists them in the response and the email, and requires the app's code", async () => {
    const ada = await person(w, "student", "active");
    const { key } = await authenticatorOf(ada);
    await addPasskey(ada.caller, device());
    const { db } = w.services.database;
    const createdAt = sql`now() - interval '7 days 1 minute'`;
    await db.update(secondFactor).set({ createdAt }).where(eq(secondFactor.userId, ada.id));
    await db.update(passkey).set({ createdAt }).where(eq(passkey.userId, ada.id));
    await addPasskey(ada.caller, device());
    const { body } = await reset(ada.id);
    expect(body).toMatchObject({
      ended: { authenticator: false, passkeys: 1 },
      remaining: { authenticator: true, passkeys: 1 },
    });
    const mail = await writtenMail(w, ada.email, /^Your password was set/);
    expect(mail).toContain("Removed from your account: 1 passkey.");
    expect(mail).toContain("Still on your account: the authenticator app and 1 passkey.");
    expect((await login(ada.email, newPassword)).code).toBe("account/second-factor");
    expect((await login(ada.email, newPassword, codeOf(key, 1))).status).toBe(200);
  });
});

test("nothing that is added while the password is set remains", async () => {
  const { db } = w.services.database;
  for (let round = 0; round < 5; round++) {
    const agent = await person(w, "agent", "approved");
    const token = await tokenFor(w, { purpose: "reset", userId: agent.id });
    const webhook = { url: "http://127.0.0.1:9/", events: ["application.moved"] };
    const key = { name: "CRM", scopes: ["students:read"], days: null };
    await Promise.all([
      agent.caller.call("apiKeys.create", key),
      agent.caller.call("webhooks.add", webhook),
      setPassword(token),
      agent.caller.call("apiKeys.create", key),
      agent.caller.call("webhooks.add", webhook),
    ]);
    const counts = [
      await db.$count(apiKey, eq(apiKey.userId, agent.id)),
      await db.$count(webhookTable, eq(webhookTable.userId, agent.id)),
    ];
    expect(counts).toEqual([0, 0]);
  }
});

describe("if two-step login is required", () => {
  let strict: Wayfare;
  beforeAll(async () => {
    strict = await wayfare({ variables: { SECOND_FACTOR_REQUIRED: "agents" }, on: w.address });
  });
  afterAll(() => strict.stop());

  const inSession = async (email: string) => {
    const caller = new Caller(strict.app);
    await caller.api.account.signIn({ email, password: goodPassword, code: "" });
    return caller;
  };

  test("a thief's session gains nothing when the holder sets up an app in theirs", async () => {
    const { email } = await person(w, "agent", "approved");
    const thief = await inSession(email);
    const holder = await inSession(email);
    await proveMailbox(strict, holder);
    await authenticatorOf({ caller: holder });
    expect((await holder.call("students.list")).status).toBe(200);
    expect((await thief.call("students.list")).code).toBe("unauthenticated");
  });

  test("a session that was opened with only the password needs the factor itself", async () => {
    const agent = await person(w, "agent", "approved");
    const phone = device();
    // While no second factor was required, the passkey was an alternative to the password.
    await addPasskey(agent.caller, phone);
    const caller = new Caller(w.app);
    await login(agent.email, goodPassword, "", caller);
    const here = new Caller(strict.app);
    for (const [name, value] of caller.cookies) here.cookies.set(name, value);
    const needed = "account/second-factor-required";
    expect((await here.call("students.list")).code).toBe(needed);
    expect((await here.call("signInMethods.startAuthenticator")).code).toBe(needed);
    expect((await here.call("signInMethods.sendMailboxCode")).code).toBe("failed-precondition");
    expect((await here.call("signInMethods.mine")).body).toMatchObject({
      isRequired: true,
      needsConfirmation: true,
      needsMailboxCode: false,
    });
    const used = phone.get(await optionsOf(here, "account.confirmationChallenge"));
    expect((await here.call("account.confirmWithPasskey", { passkey: used })).status).toBe(200);
    expect((await here.call("students.list")).status).toBe(200);
  });

  test("the emailed code verifies the address too", async () => {
    const caller = new Caller(strict.app);
    const { id } = await caller.api.account.signUp(signUpForm({ role: "agent" }));
    await proveMailbox(strict, caller);
    expect(await storedUser(w, id)).toMatchObject({ emailVerified: true });
    expect((await authenticatorOf({ caller })).recoveryCodes).toHaveLength(10);
  });
});
