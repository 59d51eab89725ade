import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SecurityEvent, securityEvents } from "#domain/security-event.ts";
import { accountKeptMail, deletionAskedMail } from "#server/features/privacy/mails.ts";
import { removeSecondFactor } from "#server/features/second-factor/commands/remove-factors.ts";
import { authenticatorOf, codeOf, wrongCodeOf } from "#tests/support/authenticator.ts";
import { type Person, person, storedUser } from "#tests/support/factories.ts";
import {
  ageFactors,
  Intruder,
  logInAgain,
  newPassword,
  setNewPassword,
  setThroughLink,
} from "#tests/support/intruder.ts";
import { addPasskey, onlyPasskey } from "#tests/support/passkeys.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { securityMail } from "./security-mails.ts";
import { user } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());
// All calls come from one address, so earlier counts are deleted.
beforeEach(() => w.services.database.pool.query("delete from rate_limit"));

/** Actions of an intruder that the holder is emailed about. */
const actions: Record<SecurityEvent, (intruder: Intruder) => Promise<unknown>> = {
  "new-device": async () => {},
  async "wrong-codes"(intruder) {
    const { key } = await authenticatorOf(intruder.holder);
    for (let times = 0; times < 3; times++) await intruder.logIn(wrongCodeOf(key));
  },
  async "password-set"(intruder) {
    await intruder.caller.call("account.requestPasswordReset", { email: intruder.holder.email });
    await setThroughLink(w, intruder.holder.email, (intruder.password = "the intruder's phrase"));
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

/** Returns the advice that a security mail gives a holder who didn't do this. */
async function adviceOf(event: SecurityEvent, { id: userId }: Person): Promise<string> {
  const mail = await securityMail.write(w.services, { userId, event, at: Date.now(), details: [] });
  return /If it wasn't, ([^\n]*)/.exec(mail?.text ?? "")?.[1] ?? "";
}

async function intrusion(event: SecurityEvent): Promise<Intruder> {
  const intruder = new Intruder(w, await person(w, "agent", "approved"));
  await intruder.logIn();
  await actions[event](intruder);
  return intruder;
}

test.each(securityEvents)("the advice about %s gets the intruder out", async (event) => {
  const intruder = await intrusion(event);
  const { holder } = intruder;
  expect(await adviceOf(event, holder)).toContain("set a new password right away with the link below");
  await setNewPassword(w, holder);
  expect(await intruder.waysIn()).toEqual([]);
});

test.each(["second-factor-on", "passkey-added"] as const)(
  "the advice about %s lets the holder in within 7 days",
  async (event) => {
    const { holder } = await intrusion(event);
    expect(await adviceOf(event, holder)).toContain("within 7 days that removes it too");
    await setNewPassword(w, holder);
    const { authenticator, passkeys } = await (await logInAgain(w, holder)).api.signInMethods.mine();
    expect([authenticator, passkeys]).toEqual([null, []]);
  },
);

test("the advice about an older passkey gets the intruder out", async () => {
  const intruder = await intrusion("passkey-added");
  const { holder } = intruder;
  await ageFactors(w, holder);
  expect(await adviceOf("passkey-added", holder)).toContain(
    "After that, remove it yourself under Login and security.",
  );
  await setNewPassword(w, holder);
  const caller = await logInAgain(w, holder);
  await caller.call("signInMethods.removePasskey", { id: await onlyPasskey(caller) });
  expect(await intruder.waysIn()).toEqual([]);
});

test("the advice about an older app lets the holder in, with the operator's help", async () => {
  const intruder = await intrusion("second-factor-on");
  const { holder } = intruder;
  await ageFactors(w, holder);
  expect(await adviceOf("second-factor-on", holder)).toContain(
    `After that only we can remove it: write to ${w.environment.contactEmail}.`,
  );
  await setNewPassword(w, holder);
  expect(await intruder.waysIn()).toEqual([]);
  await removeSecondFactor(w.services, holder.id);
  expect((await (await logInAgain(w, holder)).api.account.me()).viewer).toMatchObject({ id: holder.id });
});

const codeEvents = ["recovery-code-used", "recovery-codes-renewed"] as const;

/** Creates an intruder who has copied the recovery codes of the holder's own app and has used or renewed them. */
async function codeThief(event: (typeof codeEvents)[number], { isOlder }: { isOlder: boolean }) {
  const holder = await person(w, "agent", "approved");
  const { key, recoveryCodes } = await authenticatorOf(holder);
  if (isOlder) await ageFactors(w, holder);
  const intruder = new Intruder(w, holder);
  intruder.codes = recoveryCodes;
  expect((await intruder.logIn(intruder.codes.shift())).status).toBe(200);
  if (event === "recovery-codes-renewed")
    ({ recoveryCodes: intruder.codes } = await intruder.caller.api.signInMethods.renewRecoveryCodes());
  return { holder, intruder, key };
}

describe.each(codeEvents)("the advice about %s with the holder's own app", (event) => {
  test("makes the intruder's codes worthless when the app is older than 7 days", async () => {
    const { holder, intruder, key } = await codeThief(event, { isOlder: true });
    expect(await adviceOf(event, holder)).toContain(
      "and log in. Then make new recovery codes under Login and security",
    );
    await setNewPassword(w, holder);
    expect(await intruder.waysIn()).toEqual([]);
    const caller = await logInAgain(w, holder, codeOf(key, 1));
    expect((await caller.call("signInMethods.renewRecoveryCodes")).status).toBe(200);
    intruder.password = newPassword;
    expect(await intruder.waysIn()).toEqual([]);
  });

  test("can be followed to the end when the new password has removed the app", async () => {
    const { holder, intruder } = await codeThief(event, { isOlder: false });
    expect(await adviceOf(event, holder)).toContain("or turn the app on again if it was removed.");
    await setNewPassword(w, holder);
    expect(await intruder.waysIn()).toEqual([]);
    expect((await authenticatorOf({ caller: await logInAgain(w, holder) })).recoveryCodes).toHaveLength(10);
    intruder.password = newPassword;
    expect(await intruder.waysIn()).toEqual([]);
  });
});

test("the advice about renewed codes lets in a holder who has lost the app, with the operator's help", async () => {
  const { holder, intruder } = await codeThief("recovery-codes-renewed", { isOlder: true });
  expect(await adviceOf("recovery-codes-renewed", holder)).toContain(
    `If you can't log in, write to ${w.environment.contactEmail}.`,
  );
  await setNewPassword(w, holder);
  await removeSecondFactor(w.services, holder.id);
  expect((await (await logInAgain(w, holder)).api.account.me()).viewer).toMatchObject({ id: holder.id });
  expect(await intruder.waysIn()).toEqual([]);
});

/** Creates an agent whose status becomes approved again when a deletion is cancelled. */
async function approvedAgent(): Promise<Person> {
  const agent = await person(w, "agent", "approved");
  const { db } = w.services.database;
  await db.update(user).set({ approvedAt: new Date() }).where(eq(user.id, agent.id));
  return agent;
}

/** Logs an intruder in and adds everything to the account that a login alone allows. */
async function settle(intruder: Intruder): Promise<void> {
  expect((await intruder.logIn()).status).toBe(200);
  for (const event of ["api-key-created", "webhook-added", "passkey-added"] as const)
    await actions[event](intruder);
}

/** Returns the advice that a mail gives a holder who didn't do this. */
const adviceIn = (mail: { text: string } | null) =>
  /If this wasn't you, ([^\n]*)/.exec(mail?.text ?? "")?.[1];
const resetAt = () => `set a new password at ${w.environment.baseUrl}/reset-password`;

describe("the advice about a requested deletion", () => {
  const adviceFor = async ({ id: userId }: Person) =>
    adviceIn(await deletionAskedMail.write(w.services, { userId }));
  const ask = async ({ caller }: Intruder) =>
    expect((await caller.call("account.requestDeletion")).status).toBe(200);
  const settledIntruder = async () => {
    const intruder = new Intruder(w, await approvedAgent());
    await settle(intruder);
    return intruder;
  };
  const isKept = async ({ id }: Person) =>
    expect(await storedUser(w, id)).toMatchObject({ status: "approved", deletionDueAt: null });

  test("keeps the account and gets the intruder out", async () => {
    const intruder = await settledIntruder();
    const { holder } = intruder;
    await intruder.setUpApp();
    await ask(intruder);
    const advice = await adviceFor(holder);
    expect(advice).toContain(`${resetAt()} before then: that keeps your account, logs out all devices`);
    expect(advice).toContain(
      "removes an authenticator app and passkeys that were added within the last 7 days",
    );
    await setNewPassword(w, holder);
    await isKept(holder);
    expect(await intruder.waysIn()).toEqual([]);
    const { authenticator, passkeys } = await (await logInAgain(w, holder)).api.signInMethods.mine();
    expect([authenticator, passkeys]).toEqual([null, []]);
  });

  test("gets out an intruder with an older passkey", async () => {
    const intruder = await settledIntruder();
    const { holder } = intruder;
    await ageFactors(w, holder);
    await ask(intruder);
    expect(await adviceFor(holder)).toContain(
      "Then remove older passkeys that aren't yours under Login and security.",
    );
    await setNewPassword(w, holder);
    const caller = await logInAgain(w, holder);
    await caller.call("signInMethods.removePasskey", { id: await onlyPasskey(caller) });
    await isKept(holder);
    expect(await intruder.waysIn()).toEqual([]);
  });

  test("lets in a holder who is kept out by an older app, with the operator's help", async () => {
    const intruder = await settledIntruder();
    const { holder } = intruder;
    await intruder.setUpApp();
    await ageFactors(w, holder);
    await ask(intruder);
    expect(await adviceFor(holder)).toContain(`If you can't log in, write to ${w.environment.contactEmail}.`);
    await setNewPassword(w, holder);
    await removeSecondFactor(w.services, holder.id);
    await isKept(holder);
    expect((await (await logInAgain(w, holder)).api.account.me()).viewer).toMatchObject({ id: holder.id });
    expect(await intruder.waysIn()).toEqual([]);
  });
});

test("the advice about an account that was kept gets the intruder out, and lets the holder delete it", async () => {
  const holder = await approvedAgent();
  const intruder = new Intruder(w, holder);
  expect((await holder.caller.call("account.requestDeletion")).status).toBe(200);
  await settle(intruder);
  const advice = adviceIn(await accountKeptMail.write(w.services, { userId: holder.id }));
  expect(advice).toContain(`${resetAt()}: that logs out all devices`);
  expect(advice).toContain(
    "If you want your account deleted all the same, ask for it again under Your data.",
  );
  await setNewPassword(w, holder);
  expect(await intruder.waysIn()).toEqual([]);
  const caller = await logInAgain(w, holder);
  expect((await caller.call("account.requestDeletion")).status).toBe(200);
  expect(await intruder.waysIn()).toEqual([]);
  expect(await storedUser(w, holder.id)).toMatchObject({ status: "leaving" });
});
