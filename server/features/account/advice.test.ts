import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type SecurityEvent, securityEvents } from "#domain/security-event.ts";
import { webhook } from "#server/features/notifications/tables.ts";
import { removeSecondFactor } from "#server/features/second-factor/commands/remove-factors.ts";
import { passkey, secondFactor } from "#server/features/second-factor/tables.ts";
import { isSent, signInWithPasskey } from "#tests/access/credentials.ts";
import { authenticatorOf, wrongCodeOf } from "#tests/support/authenticator.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, type Person, person } from "#tests/support/factories.ts";
import { addPasskey, onlyPasskey } from "#tests/support/passkeys.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { someEvents } from "#tests/support/webhooks.ts";
import { securityMail } from "./security-mails.ts";

const newPassword = "a quite different phrase";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());
// All calls come from one address, so earlier counts are deleted.
beforeEach(() => w.services.database.pool.query("delete from rate_limit"));

/** An intruder who knows the password of an approved agent and has logged in with it. */
class Intruder {
  readonly holder: Person;
  readonly caller = new Caller(w.app);
  readonly device = new AuthenticatorDevice(w.environment.baseUrl);
  readonly webhookId = randomUUID();
  password = goodPassword;
  codes: string[] = [];
  key = "";
  changeToken = "";

  constructor(holder: Person) {
    this.holder = holder;
  }

  async logIn(code = "") {
    const { email } = this.holder;
    return await this.caller.call("account.signIn", { email, password: this.password, code });
  }

  async setUpApp() {
    ({ recoveryCodes: this.codes } = await authenticatorOf({ caller: this.caller }));
  }

  async addWebhook() {
    const { id: userId } = this.holder;
    const values = { id: this.webhookId, userId, url: "https://intruder.example/", events: someEvents };
    await w.services.database.db.insert(webhook).values(values);
  }

  /** Asks to move the account to the intruder's own mailbox. */
  async askForMove() {
    const email = freshEmail("intruder");
    await this.caller.call("profile.changeEmail", { email, password: this.password });
    const { link = "" } = await w.mail(email, /confirm your new email/);
    this.changeToken = new URL(link).searchParams.get("token") ?? "";
  }

  async movesAccount() {
    const input = { token: this.changeToken, password: this.password };
    return (await new Caller(w.app).call("account.verifyEmail", input)).status === 200;
  }

  /** Lists every way in that is left to the intruder, by name. */
  async waysIn(): Promise<string[]> {
    const authorization = `Bearer ${this.key}`;
    const students = await this.caller.request("/api/v1/students", { headers: { authorization } });
    const ways = {
      session: (await this.caller.api.account.me()).viewer !== null,
      "API key": students.status === 200,
      webhook: await isSent(w, this.holder.id, this.webhookId),
      passkey: (await signInWithPasskey(w, this.device)).status === 200,
      "change of address": await this.movesAccount(),
      password: (await this.logIn(this.codes.at(-1))).status === 200,
    };
    return Object.entries(ways).flatMap(([name, isOpen]) => (isOpen ? [name] : []));
  }
}

/** Actions of an intruder that the holder is emailed about. */
const deeds: Record<SecurityEvent, (intruder: Intruder) => Promise<unknown>> = {
  "new-device": async () => {},
  async "wrong-codes"(intruder) {
    const { key } = await authenticatorOf(intruder.holder);
    for (let times = 0; times < 3; times++) await intruder.logIn(wrongCodeOf(key));
  },
  async "password-set"(intruder) {
    await intruder.caller.call("account.requestPasswordReset", { email: intruder.holder.email });
    await setThroughLink(intruder.holder.email, (intruder.password = "the intruder's phrase"));
    await intruder.logIn();
  },
  async "password-changed"(intruder) {
    const password = "the intruder's phrase";
    const change = { currentPassword: intruder.password, password, confirmPassword: password };
    await intruder.caller.call("account.changePassword", change);
    intruder.password = password;
  },
  "email-change-asked": (intruder) => intruder.askForMove(),
  "second-factor-on": (intruder) => intruder.setUpApp(),
  async "second-factor-off"(intruder) {
    await intruder.setUpApp();
    await intruder.caller.call("signInMethods.removeAuthenticator");
  },
  async "second-factor-reset"(intruder) {
    await intruder.setUpApp();
    await removeSecondFactor(w.services, intruder.holder.id);
    await intruder.logIn();
  },
  async "recovery-codes-renewed"(intruder) {
    await intruder.setUpApp();
    const { recoveryCodes } = await intruder.caller.api.signInMethods.renewRecoveryCodes();
    intruder.codes = recoveryCodes;
  },
  async "recovery-code-used"(intruder) {
    await intruder.setUpApp();
    await intruder.logIn(intruder.codes[0]);
  },
  "passkey-added": (intruder) => addPasskey(intruder.caller, intruder.device),
  async "passkey-removed"(intruder) {
    await addPasskey(intruder.caller, intruder.device);
    await intruder.caller.call("signInMethods.removePasskey", { id: await onlyPasskey(intruder.caller) });
  },
  async "api-key-created"(intruder) {
    const key = { name: "CRM", scopes: ["students:read" as const], days: null };
    ({ key: intruder.key } = await intruder.caller.api.apiKeys.create(key));
  },
  "webhook-added": (intruder) => intruder.addWebhook(),
  "webhook-changed": (intruder) => intruder.addWebhook(),
};

/** Returns the advice in an email for the case that it was somebody else. */
async function adviceOf(event: SecurityEvent, { id: userId }: Person): Promise<string> {
  const mail = await securityMail.write(w.services, { userId, event, at: Date.now(), details: [] });
  return /If it wasn't, ([^\n]*)/.exec(mail?.text ?? "")?.[1] ?? "";
}

async function setThroughLink(email: string, password: string): Promise<void> {
  const { link = "" } = await w.mail(email, /^Set a new password$/);
  const token = new URL(link).searchParams.get("token");
  const set = { token, password, confirmPassword: password };
  expect((await new Caller(w.app).call("account.setPassword", set)).status).toBe(200);
}

/** Follows "set a new password with the link below": the page behind it emails the link. */
async function setNewPassword({ email }: Person): Promise<void> {
  const start = w.log.length;
  await new Caller(w.app).call("account.requestPasswordReset", { email });
  await w.mailsAreDue();
  const isReset = (line: (typeof w.log)[number]) =>
    line.to === email && line.subject === "Set a new password";
  await until(() => w.log.slice(start).some(isReset));
  await setThroughLink(email, newPassword);
}

async function intrusion(event: SecurityEvent): Promise<Intruder> {
  const intruder = new Intruder(await person(w, "agent", "approved"));
  await intruder.logIn();
  await deeds[event](intruder);
  return intruder;
}

const ageFactors = async ({ id }: Person) => {
  const createdAt = sql`now() - interval '8 days'`;
  const { db } = w.services.database;
  await db.update(secondFactor).set({ createdAt }).where(eq(secondFactor.userId, id));
  await db.update(passkey).set({ createdAt }).where(eq(passkey.userId, id));
};

const logInAgain = async ({ email }: Person) => {
  const caller = new Caller(w.app);
  await caller.api.account.signIn({ email, password: newPassword, code: "" });
  return caller;
};

test.each(securityEvents)("the advice about %s gets the intruder out", async (event) => {
  const intruder = await intrusion(event);
  const { holder } = intruder;
  expect(await adviceOf(event, holder)).toContain("set a new password right away with the link below");
  await setNewPassword(holder);
  expect(await intruder.waysIn()).toEqual([]);
});

test.each(["second-factor-on", "passkey-added"] as const)(
  "the advice about %s lets the holder in within 7 days",
  async (event) => {
    const { holder } = await intrusion(event);
    expect(await adviceOf(event, holder)).toContain("within 7 days that removes it too");
    await setNewPassword(holder);
    const { authenticator, passkeys } = await (await logInAgain(holder)).api.signInMethods.mine();
    expect([authenticator, passkeys]).toEqual([null, []]);
  },
);

test("the advice about an older passkey gets the intruder out", async () => {
  const intruder = await intrusion("passkey-added");
  const { holder } = intruder;
  await ageFactors(holder);
  expect(await adviceOf("passkey-added", holder)).toContain(
    "After that, remove it yourself under Login and security.",
  );
  await setNewPassword(holder);
  const caller = await logInAgain(holder);
  await caller.call("signInMethods.removePasskey", { id: await onlyPasskey(caller) });
  expect(await intruder.waysIn()).toEqual([]);
});

test("the advice about an older app lets the holder in, with the operator's help", async () => {
  const intruder = await intrusion("second-factor-on");
  const { holder } = intruder;
  await ageFactors(holder);
  expect(await adviceOf("second-factor-on", holder)).toContain(
    `After that only we can remove it: write to ${w.environment.contactEmail}.`,
  );
  await setNewPassword(holder);
  expect(await intruder.waysIn()).toEqual([]);
  await removeSecondFactor(w.services, holder.id);
  expect((await (await logInAgain(holder)).api.account.me()).viewer).toMatchObject({ id: holder.id });
});
