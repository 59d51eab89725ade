import { afterAll, beforeAll, expect, test } from "vitest";
import { type SecurityEvent, securityEvents, securityWords } from "#domain/security-event.ts";
import { removeSecondFactor } from "#server/features/second-factor/commands/remove-factors.ts";
import { createLink } from "#server/features/sign-in/links.ts";
import { authenticatorOf } from "#tests/support/authenticator.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, type Person, person, signUpForm } from "#tests/support/factories.ts";
import { addPasskey, onlyPasskey } from "#tests/support/passkeys.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { writtenMail } from "#tests/support/written-mails.ts";
import { queueSecurityMail } from "./security-mails.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";
const admin = freshEmail("admin");
const newPassword = "a quite different phrase";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { ADMIN_EMAILS: admin } });
});
afterAll(() => w.stop());

async function logIn(email: string, caller = new Caller(w.app), password = goodPassword): Promise<Caller> {
  const headers = { "user-agent": firefox };
  const answer = await caller.call("account.signIn", { email, password, code: "" }, { headers });
  expect(answer.status).toBe(200);
  return caller;
}
const queue = ({ id }: Pick<Person, "id">, event: SecurityEvent) =>
  w.services.database.transaction((tx) => queueSecurityMail(w.services, tx, id, event));

/** Counts the jobs that write emails of this kind about an account, done or waiting. */
async function queued({ id }: Pick<Person, "id">, event: SecurityEvent): Promise<number> {
  const { rows } = await w.services.database.pool.query<{ count: number }>(
    `select count(*)::int as count from jobs.job
     where name = 'mail' and data->>'mail' = 'security' and data->'data'->>'userId' = $1 and data->'data'->>'event' = $2`,
    [id, event],
  );
  return rows[0]?.count ?? -1;
}

const mailTo = (to: string, subject: RegExp) => writtenMail(w, to, subject);

test("the holder is emailed about a login only if the account does not know the browser", async () => {
  const form = signUpForm();
  const phone = new Caller(w.app);
  const { id } = await phone.api.account.signUp(form);
  // The browser of the sign-up is already known.
  await logIn(form.email, phone);
  expect(await queued({ id }, "new-device")).toBe(0);
  const laptop = await logIn(form.email, new Caller(w.app, "203.0.113.77"));
  expect(await queued({ id }, "new-device")).toBe(1);
  const mail = await mailTo(form.email, /^New login/);
  expect(mail).toContain("Device: Firefox on Linux");
  expect(mail).toContain("Network address: 203.0.113.77");
  expect(mail).toMatch(/Time: \d+ \w+ \d{4} at \d\d:\d\d UTC/);
  expect(mail).toContain("/reset-password");
  expect(mail).not.toContain("Gecko");
  await laptop.call("account.signOut");
  await logIn(form.email, laptop);
  expect(await queued({ id }, "new-device")).toBe(1);
});

test("the very first login sends no mail", async () => {
  const ada = await person(w, "student", "active");
  await logIn(ada.email);
  expect(await queued(ada, "new-device")).toBe(0);
  await logIn(ada.email);
  expect(await queued(ada, "new-device")).toBe(1);
});

test("a browser known to another account counts as new", async () => {
  const [ada, ben] = [await person(w, "student", "active"), await person(w, "student", "active")];
  await logIn(ben.email);
  const shared = await logIn(ada.email);
  await logIn(ben.email, shared);
  expect(await queued(ben, "new-device")).toBe(1);
});

test("a refused login sends no mail", async () => {
  const ada = await person(w, "student", "active");
  await logIn(ada.email);
  const stranger = new Caller(w.app);
  await stranger.call("account.signIn", { email: ada.email, password: "wrong password", code: "" });
  expect(await queued(ada, "new-device")).toBe(0);
});

test("many logins, even concurrent ones, don't flood the mailbox", async () => {
  const ada = await person(w, "student", "active");
  await logIn(ada.email);
  await Promise.all(Array.from({ length: 4 }, () => logIn(ada.email)));
  for (let times = 0; times < 4; times++) await logIn(ada.email);
  expect(await queued(ada, "new-device")).toBe(5);
  // Other events have a limit of their own, which the logins don't use up.
  for (let times = 0; times < 22; times++) await queue(ada, "recovery-codes-renewed");
  expect(await queued(ada, "recovery-codes-renewed")).toBe(20);
  // Mails are sent again an hour later.
  await w.services.database.pool.query("update rate_limit set expire = 1 where key like 'within:%'");
  await logIn(ada.email);
  await queue(ada, "recovery-codes-renewed");
  expect(await queued(ada, "new-device")).toBe(6);
  expect(await queued(ada, "recovery-codes-renewed")).toBe(21);
});

test("a change that is rolled back sends no mail and does not count", async () => {
  const ada = await person(w, "student", "active");
  const failed = w.services.database.transaction(async (tx) => {
    for (let times = 0; times < 20; times++) await queueSecurityMail(w.services, tx, ada.id, "passkey-added");
    throw new Error("rolled back");
  });
  await expect(failed).rejects.toThrow("rolled back");
  expect(await queued(ada, "passkey-added")).toBe(0);
  await queue(ada, "passkey-added");
  expect(await queued(ada, "passkey-added")).toBe(1);
});

test("the holder is emailed about a changed password and about one set through the link", async () => {
  const ada = await person(w, "student", "active");
  await logIn(ada.email, ada.caller);
  const passwords = { password: newPassword, confirmPassword: newPassword };
  const changed = await ada.caller.call("account.changePassword", {
    currentPassword: goodPassword,
    ...passwords,
  });
  expect(changed.status).toBe(200);
  expect(await mailTo(ada.email, /^Your password was changed/)).toContain(
    "All other devices were logged out.",
  );

  await new Caller(w.app).call("account.requestPasswordReset", { email: ada.email });
  const { link } = await w.mail(ada.email, /^Set a new password/);
  const token = new URL(link ?? "").searchParams.get("token");
  const set = await new Caller(w.app).call("account.setPassword", { token, ...passwords, code: "" });
  expect(set.status).toBe(200);
  expect(await mailTo(ada.email, /^Your password was set/)).toContain("through a link we emailed you");
});

test("the link that creates an admin's account sends its holder no security mail", async () => {
  const link = await createLink(w.services, { purpose: "admin", email: admin });
  const token = new URL(link).searchParams.get("token");
  const caller = new Caller(w.app);
  const password = "a long admin password";
  const input = { token, password, confirmPassword: password, code: "" };
  expect((await caller.call("account.setPassword", input)).status).toBe(200);
  const { viewer } = await (await logIn(admin, caller, password)).api.account.me();
  const id = viewer?.id ?? "";
  expect(id).toMatch(/^[\w-]{36}$/);
  expect(await queued({ id }, "password-set")).toBe(0);
  expect(await queued({ id }, "new-device")).toBe(0);
});

test.each(securityEvents)("%s has a subject and a sentence of its own", async (event) => {
  const ada = await person(w, "student", "active");
  await queue(ada, event);
  const { subject } = await w.mail(ada.email, /./);
  expect(subject).toBe(securityWords[event].subject);
  expect(new Set(securityEvents.map((each) => securityWords[each].sentence)).size).toBe(
    securityEvents.length,
  );
});

test("the holder gets an email for every change of passkeys, of the app and of its recovery codes", async () => {
  const ada = await person(w, "student", "active");
  const { caller, email } = ada;
  const securityMails = async () => {
    const counts = await Promise.all(
      securityEvents.map(async (event) => [event, await queued(ada, event)] as const),
    );
    return Object.fromEntries(counts.filter(([event, count]) => count > 0 && event !== "new-device"));
  };
  await addPasskey(caller, new AuthenticatorDevice(w.environment.baseUrl));
  expect(await securityMails()).toEqual({ "passkey-added": 1 });
  const id = await onlyPasskey(caller);
  await caller.call("signInMethods.removePasskey", { id });
  expect(await securityMails()).toEqual({ "passkey-added": 1, "passkey-removed": 1 });
  const { recoveryCodes } = await authenticatorOf(ada);
  expect(await securityMails()).toMatchObject({ "second-factor-on": 1 });
  const code = recoveryCodes[0];
  await new Caller(w.app).call("account.signIn", { email, password: goodPassword, code });
  expect(await securityMails()).toMatchObject({ "recovery-code-used": 1 });
  await caller.call("signInMethods.renewRecoveryCodes");
  expect(await securityMails()).toMatchObject({ "recovery-codes-renewed": 1 });
  await caller.call("signInMethods.removeAuthenticator");
  expect(await securityMails()).toMatchObject({ "second-factor-off": 1 });
  await authenticatorOf(ada);
  await removeSecondFactor(w.services, ada.id);
  expect(await securityMails()).toMatchObject({ "second-factor-on": 2, "second-factor-off": 2 });
});
