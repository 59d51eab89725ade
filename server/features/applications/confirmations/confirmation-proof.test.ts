import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verification } from "#server/features/account/tables.ts";
import { confirmation } from "#server/features/applications/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { submittedApplication } from "#tests/support/applications.ts";
import { authenticatorOf } from "#tests/support/authenticator.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, type Person, signIn } from "#tests/support/factories.ts";
import { mailboxCodeFor, mailedCode, proveMailbox } from "#tests/support/mailed-code.ts";
import { addPasskey } from "#tests/support/passkeys.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

/** Asks a student to confirm a list; `confirm` confirms it in any of the account's sessions. */
async function askedList() {
  const { student, agent, id: applicationId, move } = await submittedApplication(w);
  await move(agent, "inReview");
  await agent.caller.api.applications.askConfirmation({ applicationId });
  const { hash } = await student.caller.api.applications.confirmation({ applicationId });
  return {
    student,
    confirm: (caller = student.caller) => caller.call("applications.confirmList", { applicationId, hash }),
    state: async () => (await agent.caller.api.applications.confirmation({ applicationId })).state,
    confirmations: async () =>
      await w.services.database.db
        .select()
        .from(confirmation)
        .where(eq(confirmation.applicationId, applicationId)),
  };
}

/** Opens another session of a person's account, as anyone who knows the password could. */
async function elsewhere({ id }: Person): Promise<Caller> {
  const caller = new Caller(w.app);
  await signIn(w, caller, id);
  return caller;
}

const prove = (caller: Caller, code: string) => caller.call("signInMethods.proveMailbox", { code });

test("the password alone confirms nothing: the session needs the code that was emailed to it", async () => {
  const { student, confirm, state } = await askedList();
  expect((await confirm()).code).toBe("account/mailbox-code");
  expect((await student.caller.call("signInMethods.sendMailboxCode")).status).toBe(200);
  const code = await until(() => mailedCode(w.environment.dataDir, student.email));
  expect((await confirm()).code, "emailed and not entered").toBe("account/mailbox-code");
  const wrong = code === "0000 0000" ? "0000 0001" : "0000 0000";
  expect((await prove(student.caller, wrong)).code).toBe("auth/invalid-verification-code");
  expect((await confirm()).code).toBe("account/mailbox-code");
  expect(await state()).toBe("asked");
  expect((await prove(student.caller, code)).status).toBe(200);
  expect((await confirm()).status).toBe(200);
  expect(await state()).toBe("confirmed");
});

test("a session that has proved the mailbox can confirm for half an hour, and no other session can", async () => {
  const { student, confirm, state } = await askedList();
  const thief = await elsewhere(student);
  await proveMailbox(w, student.caller);
  expect((await confirm(thief)).code).toBe("account/mailbox-code");
  await w.services.database.db
    .update(verification)
    .set({ expiresAt: new Date() })
    .where(sql`starts_with(${verification.identifier}, ${`mailbox:${student.id}:`})`);
  expect((await confirm()).code).toBe("account/mailbox-code");
  expect(await state()).toBe("asked");
  await proveMailbox(w, student.caller);
  expect((await confirm()).status).toBe(200);
});

test("the code doesn't replace a recent login", async () => {
  const { student, confirm, state } = await askedList();
  await proveMailbox(w, student.caller);
  await w.services.database.db
    .update(session)
    .set({ provedAt: sql`now() - interval '16 minutes'` })
    .where(eq(session.userId, student.id));
  w.services.sessions.evict({ userId: student.id, ended: false });
  expect((await confirm()).code).toBe("auth/requires-recent-login");
  expect(await state()).toBe("asked");
});

test("a student with a second factor needs no code, and is sent none", async () => {
  const { student, confirm } = await askedList();
  await authenticatorOf(student);
  expect((await student.caller.call("signInMethods.sendMailboxCode")).code).toBe("failed-precondition");
  expect((await confirm()).status).toBe(200);
});

test("a passkey that the login didn't use confirms nothing", async () => {
  const { student, confirm, state } = await askedList();
  await addPasskey(student.caller, new AuthenticatorDevice(w.environment.baseUrl));
  const thief = new Caller(w.app);
  const login = await thief.call("account.signIn", { email: student.email, password: goodPassword });
  expect(login.status).toBe(200);
  expect((await confirm(thief)).code).toBe("account/mailbox-code");
  expect(await state()).toBe("asked");
  expect((await confirm()).status).toBe(200);
});

test("when three sessions confirm concurrently, those that have proved the mailbox succeed, and the list is confirmed once", async () => {
  for (let round = 0; round < 5; round++) {
    const { student, confirm, confirmations } = await askedList();
    const [thief, second] = [await elsewhere(student), await elsewhere(student)];
    await proveMailbox(w, student.caller);
    await proveMailbox(w, second);
    const [first, again] = await Promise.all([confirm(), confirm(second), confirm(thief)]);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(await confirmations()).toMatchObject([{ confirmedAt: expect.any(Date) }]);
    const isOwn = and(eq(audit.action, "list-confirmed"), eq(audit.actorId, student.id));
    expect(await w.services.database.db.$count(audit, isOwn)).toBe(1);
  }
});

test("the mail says what the code is for, and its advice gets an intruder out", async () => {
  const { student, confirm, state } = await askedList();
  const thief = await elsewhere(student);
  const code = await mailboxCodeFor(w, thief);
  await thief.call("signInMethods.sendMailboxCode");
  const { link = "" } = await w.mail(
    student.email,
    /^Your code for confirming what is sent to a university$/,
  );
  expect(new URL(link).pathname).toBe("/reset-password");

  await new Caller(w.app).call("account.requestPasswordReset", { email: student.email });
  const reset = await w.mail(student.email, /^Set a new password$/);
  const password = "a quite different phrase";
  const token = new URL(reset.link ?? "").searchParams.get("token");
  await new Caller(w.app).call("account.setPassword", { token, password, confirmPassword: password });
  expect((await prove(thief, code)).code).toBe("unauthenticated");
  expect((await confirm(thief)).code).toBe("unauthenticated");
  const again = await thief.call("account.signIn", { email: student.email, password: goodPassword });
  expect(again.code).toBe("auth/invalid-credential");
  expect(await state()).toBe("asked");
});
