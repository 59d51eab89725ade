import { afterAll, beforeAll, expect, test } from "vitest";
import { emailChangedMail } from "#server/features/sign-in/mails.ts";
import { signInWithPasskey } from "#tests/access/credentials.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { confirmEmail, mailedEmail, tokenOf } from "#tests/support/email-change.ts";
import { freshEmail, goodPassword, person, storedUser } from "#tests/support/factories.ts";
import { addPasskey } from "#tests/support/passkeys.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { adminCommand } from "./command-line.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { ADMIN_EMAILS: "boss@example.org" } });
});
afterAll(() => w.stop());

async function changeEmail(from: string, to: string): Promise<string> {
  const lines: string[] = [];
  await adminCommand(w.services, ["change-email", from, to], (text) => void lines.push(text));
  return lines.join("");
}

const setPassword = (token: string, password: string) =>
  new Caller(w.app).call("account.setPassword", { token, password, confirmPassword: password });

test("the advice about a changed address gives the account back to its holder", async () => {
  const holder = await person(w, "agent", "approved");
  const intruder = new Caller(w.app);
  const device = new AuthenticatorDevice(w.environment.baseUrl);
  await intruder.call("account.signIn", { email: holder.email, password: goodPassword });
  const { email, token } = await mailedEmail(w, { ...holder, caller: intruder });
  await confirmEmail(w, token);
  await addPasskey(intruder, device);
  const { key } = await intruder.api.apiKeys.create({ name: "CRM", scopes: ["students:read"], days: null });
  await intruder.call("account.requestPasswordReset", { email });
  const intrudersLink = tokenOf((await w.mail(email, /^Set a new password$/)).link);

  await w.mail(holder.email, /address was changed/);
  const mail = await emailChangedMail.write(w.services, { to: holder.email, firstName: "Kofi" });
  const text = mail?.text.replace(/\s+/g, " ");
  expect(text).toContain(`write to ${w.environment.contactEmail} from this address right away`);
  expect(text).toContain("we move your account back here and email you a link for a new password");
  expect(await changeEmail(email, holder.email)).toContain("logged out everywhere");
  expect((await setPassword(intrudersLink, "the intruder's phrase")).code).toBe("auth/invalid-action-code");
  expect((await intruder.call("account.me")).body).toEqual({ viewer: null });
  const headers = { authorization: `Bearer ${key}` };
  expect((await intruder.request("/api/v1/students", { headers })).status).toBe(401);

  const { link } = await w.mail(holder.email, /^Set a new password$/);
  expect((await setPassword(tokenOf(link), "a quite different phrase")).status).toBe(200);
  expect((await signInWithPasskey(w, device)).status).not.toBe(200);
  const logIn = (address: string, password: string) =>
    new Caller(w.app).call("account.signIn", { email: address, password });
  expect((await logIn(email, goodPassword)).code).toBe("auth/invalid-credential");
  expect((await logIn(holder.email, goodPassword)).code).toBe("auth/invalid-credential");
  expect((await logIn(holder.email, "a quite different phrase")).status).toBe(200);
});

test("the operator can't move an admin's account, or any account to a taken address", async () => {
  const [ada, kofi] = [await person(w, "student", "active"), await person(w, "agent", "approved")];
  const boss = await person(w, "admin", "active");
  await expect(changeEmail(ada.email, kofi.email)).rejects.toThrow("belongs to another account");
  await expect(changeEmail(ada.email, "boss@example.org")).rejects.toThrow("belongs to another account");
  await expect(changeEmail(boss.email, freshEmail())).rejects.toThrow("is an admin's");
  await expect(changeEmail(ada.email, "nowhere")).rejects.toThrow("To which address?");
  for (const { id, email } of [ada, kofi, boss]) expect((await storedUser(w, id))?.email).toBe(email);
});
