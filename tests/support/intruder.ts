import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import { webhook } from "#server/features/notifications/tables.ts";
import { passkey, secondFactor } from "#server/features/second-factor/tables.ts";
import { isSent, signInWithPasskey } from "#tests/access/credentials.ts";
import { authenticatorOf } from "./authenticator.ts";
import { AuthenticatorDevice } from "./authenticator-device.ts";
import { Caller } from "./caller.ts";
import { freshEmail, goodPassword, type Person } from "./factories.ts";
import { until, type Wayfare } from "./wayfare.ts";
import { someEvents } from "./webhooks.ts";

export const newPassword = "a quite different phrase";

/** An intruder who knows the password of an approved agent and has logged in with it. */
export class Intruder {
  readonly #w: Wayfare;
  readonly holder: Person;
  readonly caller: Caller;
  readonly device: AuthenticatorDevice;
  readonly webhookId = randomUUID();
  password = goodPassword;
  codes: string[] = [];
  key = "";
  changeToken = "";

  constructor(w: Wayfare, holder: Person) {
    this.#w = w;
    this.holder = holder;
    this.caller = new Caller(w.app);
    this.device = new AuthenticatorDevice(w.environment.baseUrl);
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
    await this.#w.services.database.db.insert(webhook).values(values);
  }

  /** Requests a move of the account to the intruder's own mailbox. */
  async askForMove() {
    const email = freshEmail("intruder");
    await this.caller.call("profile.changeEmail", { email, password: this.password });
    const { link = "" } = await this.#w.mail(email, /confirm your new email/);
    this.changeToken = new URL(link).searchParams.get("token") ?? "";
  }

  async movesAccount() {
    const input = { token: this.changeToken, password: this.password };
    return (await new Caller(this.#w.app).call("account.verifyEmail", input)).status === 200;
  }

  /** Lists the names of all ways in that the intruder still has. */
  async waysIn(): Promise<string[]> {
    const authorization = `Bearer ${this.key}`;
    const students = await this.caller.request("/api/v1/students", { headers: { authorization } });
    const ways = {
      session: (await this.caller.api.account.me()).viewer !== null,
      "API key": students.status === 200,
      webhook: await isSent(this.#w, this.holder.id, this.webhookId),
      passkey: (await signInWithPasskey(this.#w, this.device)).status === 200,
      "change of address": await this.movesAccount(),
      password: (await this.logIn(this.codes.at(-1))).status === 200,
    };
    return Object.entries(ways).flatMap(([name, isOpen]) => (isOpen ? [name] : []));
  }
}

/** Sets a password through the newest link that was emailed to an address. */
export async function setThroughLink(w: Wayfare, email: string, password: string): Promise<void> {
  const { link = "" } = await w.mail(email, /^Set a new password$/);
  const token = new URL(link).searchParams.get("token");
  const set = { token, password, confirmPassword: password };
  expect((await new Caller(w.app).call("account.setPassword", set)).status).toBe(200);
}

/** Follows "set a new password with the link below": the page behind it emails the link. */
export async function setNewPassword(w: Wayfare, { email }: Pick<Person, "email">): Promise<void> {
  const start = w.log.length;
  await new Caller(w.app).call("account.requestPasswordReset", { email });
  await w.mailsAreDue();
  const isReset = (line: (typeof w.log)[number]) =>
    line.to === email && line.subject === "Set a new password";
  await until(() => w.log.slice(start).some(isReset));
  await setThroughLink(w, email, newPassword);
}

/** Makes the factors of an account older than those that a password set through the link removes. */
export async function ageFactors(w: Wayfare, { id }: Person): Promise<void> {
  const createdAt = sql`now() - interval '8 days'`;
  const { db } = w.services.database;
  await db.update(secondFactor).set({ createdAt }).where(eq(secondFactor.userId, id));
  await db.update(passkey).set({ createdAt }).where(eq(passkey.userId, id));
}

/** Logs the holder in with the new password. */
export async function logInAgain(w: Wayfare, { email }: Person, code = ""): Promise<Caller> {
  const caller = new Caller(w.app);
  await caller.api.account.signIn({ email, password: newPassword, code });
  return caller;
}
