import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verification } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { createKeys } from "#server/platform/keys.ts";
import { authenticatorOf } from "#tests/support/authenticator.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, person } from "#tests/support/factories.ts";
import { newPassword, setNewPassword } from "#tests/support/intruder.ts";
import { mailboxCodeFor, mailedCode } from "#tests/support/mailed-code.ts";
import { addPasskey } from "#tests/support/passkeys.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { mailboxCodeMail, proveMailbox } from "./mailbox-proof.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { SECOND_FACTOR_REQUIRED: "agents" } });
});
afterAll(() => w.stop());

/** Creates an agent without a second factor, and a thief who is logged in with their password elsewhere. */
async function agent() {
  const { id, email, caller } = await person(w, "agent", "approved");
  const thief = new Caller(w.app, "198.51.100.9");
  await thief.call("account.signIn", { email, password: goodPassword });
  return { id, email, caller, thief };
}

const prove = (caller: Caller, code: string) => caller.call("signInMethods.proveMailbox", { code });
const sessionOf = async ({ cookie }: Caller) => {
  const session = await w.services.sessions.checkAny(cookie);
  if (!session) throw new Error("there is no session");
  return session;
};
const needsCode = async (caller: Caller) => (await caller.api.signInMethods.mine()).needsMailboxCode;

test("the password alone is not enough to set up an app or a passkey", async () => {
  const { thief } = await agent();
  for (const [procedure, input] of [
    ["startAuthenticator", {}],
    ["confirmAuthenticator", { code: "123456" }],
    ["startPasskey", {}],
  ] as const)
    expect((await thief.call(`signInMethods.${procedure}`, input)).code, procedure).toBe(
      "account/mailbox-code",
    );
  // A challenge from elsewhere doesn't help either.
  const { userId } = await sessionOf(thief);
  const options = await w.services.passkeys.creationOptions({
    userId,
    email: "a@example.org",
    credentials: [],
  });
  const passkey = new AuthenticatorDevice(w.environment.baseUrl).create(options);
  expect((await thief.call("signInMethods.addPasskey", { passkey })).code).toBe("account/mailbox-code");
  expect(await needsCode(thief)).toBe(true);
});

test("a code that was emailed proves nothing until it is entered", async () => {
  const { thief } = await agent();
  await mailboxCodeFor(w, thief);
  expect(await needsCode(thief)).toBe(true);
  expect((await thief.call("signInMethods.startAuthenticator")).code).toBe("account/mailbox-code");
});

test("no code is emailed for a session that has ended", async () => {
  const { caller } = await agent();
  const { id, userId } = await sessionOf(caller);
  await caller.call("account.signOut");
  expect(await mailboxCodeMail.write(w.services, { id, userId })).toBeNull();
});

test("an emailed code lets the session that requested it proceed, and is audited", async () => {
  const { id, email, caller, thief } = await agent();
  await caller.call("signInMethods.sendMailboxCode");
  const code = await until(() => mailedCode(w.environment.dataDir, email));
  expect((await prove(caller, code)).status).toBe(200);
  expect(await needsCode(caller)).toBe(false);
  expect((await thief.call("signInMethods.startAuthenticator")).code).toBe("account/mailbox-code");
  const { recoveryCodes } = await authenticatorOf({ caller });
  expect(recoveryCodes).toHaveLength(10);
  expect((await caller.call("students.list")).status).toBe(200);
  const entries = await w.services.database.db.select().from(audit).where(eq(audit.actorId, id));
  expect(entries).toContainEqual(
    expect.objectContaining({ action: "identity-confirmed", subjectId: id, detail: { by: "email" } }),
  );
});

test("a passkey can be the first second factor too", async () => {
  const { caller } = await agent();
  await prove(caller, await mailboxCodeFor(w, caller));
  const device = new AuthenticatorDevice(w.environment.baseUrl);
  expect((await addPasskey(caller, device)).status).toBe(200);
});

test("a code of another session, an expired, used or superseded one is refused", async () => {
  const { caller, thief } = await agent();
  const refused = "auth/invalid-verification-code";
  const former = await mailboxCodeFor(w, caller);
  const code = await mailboxCodeFor(w, caller);
  if (former !== code) expect((await prove(caller, former)).code).toBe(refused);
  expect((await prove(thief, code)).code).toBe(refused);
  expect((await prove(caller, "proven")).code).toBe(refused);
  expect((await prove(caller, code.replaceAll(" ", ""))).status).toBe(200);
  expect((await prove(caller, code)).code).toBe(refused);
  const { db } = w.services.database;
  await db.update(verification).set({ expiresAt: new Date() });
  expect(await needsCode(caller)).toBe(true);
  const late = await mailboxCodeFor(w, caller);
  await db.update(verification).set({ expiresAt: new Date() });
  expect((await prove(caller, late)).code).toBe(refused);
});

test("a code works for ten minutes, and lets its session proceed for thirty", async () => {
  const { id, caller } = await agent();
  const minutesLeft = async () => {
    const ofAccount = sql`starts_with(${verification.identifier}, ${`mailbox:${id}:`})`;
    const [row] = await w.services.database.db.select().from(verification).where(ofAccount);
    return ((row?.expiresAt.getTime() ?? Number.NaN) - Date.now()) / 60_000;
  };
  const code = await mailboxCodeFor(w, caller);
  expect(await minutesLeft()).toBeLessThanOrEqual(10);
  await prove(caller, code);
  expect(await minutesLeft()).toBeLessThanOrEqual(30);
});

test("one of several concurrent entries of a code succeeds", async () => {
  const { caller } = await agent();
  const code = await mailboxCodeFor(w, caller);
  const answers = await Promise.all(Array.from({ length: 8 }, () => prove(caller, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a code is stored so that only the server's key can check it, and attempts are limited", async () => {
  const { caller } = await agent();
  const code = await mailboxCodeFor(w, caller);
  const json = JSON.stringify(await w.services.database.db.select().from(verification));
  expect(json).not.toContain(code.replaceAll(" ", ""));
  const withoutKey = { ...w.services, keys: createKeys(["a secret that somebody else has made up"]) };
  const context = { session: await sessionOf(caller), address: "203.0.113.7" };
  await expect(proveMailbox(withoutKey, context, code)).rejects.toMatchObject({
    code: "auth/invalid-verification-code",
  });
  for (let times = 0; times < 10; times++) await prove(caller, "");
  const answer = await prove(caller, code);
  expect([answer.code, answer.headers.has("retry-after")]).toEqual(["resource-exhausted", true]);
});

test("five codes are emailed per hour, and none to users who need none", async () => {
  const { caller } = await agent();
  const send = ({ caller: by }: { caller: Caller }) => by.call("signInMethods.sendMailboxCode");
  for (let times = 0; times < 5; times++) expect((await send({ caller })).status).toBe(200);
  expect((await send({ caller })).code).toBe("resource-exhausted");
  expect((await send(await person(w, "admin", "active"))).code).toBe("failed-precondition");
  const ada = await person(w, "student", "active");
  expect(await needsCode(ada.caller)).toBe(false);
  expect((await ada.caller.call("signInMethods.startAuthenticator")).status).toBe(200);
});

test("the advice in the mail locks out a thief who knows the password", async () => {
  const { email, caller: holder, thief } = await agent();
  expect((await thief.call("signInMethods.sendMailboxCode")).status).toBe(200);
  const { id, userId } = await sessionOf(thief);
  const mail = await mailboxCodeMail.write(w.services, { id, userId });
  expect(mail?.text).toContain("Set a new one right away with the link below: that logs out all devices.");
  expect(mail?.link).toBe(`${w.environment.baseUrl}/reset-password`);
  const code = await mailboxCodeFor(w, thief);
  await setNewPassword(w, { email });
  // Even a code that was given away is worthless now.
  expect((await prove(thief, code)).code).toBe("unauthenticated");
  expect((await thief.call("account.signIn", { email, password: goodPassword })).code).toBe(
    "auth/invalid-credential",
  );
  expect((await holder.call("account.signIn", { email, password: newPassword })).status).toBe(200);
  await prove(holder, await mailboxCodeFor(w, holder));
  expect((await authenticatorOf({ caller: holder })).recoveryCodes).toHaveLength(10);
});
