import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { saveRequestedEmail } from "#server/features/account/requested-email.ts";
import { user } from "#server/features/account/tables.ts";
import { notify } from "#server/features/notifications/commands.ts";
import { webhook, webhookDelivery } from "#server/features/notifications/tables.ts";
import { passkey, secondFactor } from "#server/features/second-factor/tables.ts";
import { createLink, type Grant } from "#server/features/sign-in/links.ts";
import type { FakeBrowser, PushService } from "#tests/fakes/push-service.ts";
import { authenticatorOf, codeOf } from "#tests/support/authenticator.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, person, storedUser } from "#tests/support/factories.ts";
import { addPasskey, optionsOf } from "#tests/support/passkeys.ts";
import { pushesAreDone, subscribedBrowser } from "#tests/support/pushes.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { newNotification, someEvents } from "#tests/support/webhooks.ts";

/** Everything that gives access to an account, acts for it or is known to it. Factors are young for 7 days. */
export type Credential =
  | "password"
  | "this session"
  | "other sessions"
  | "young passkey"
  | "older passkey"
  | "young app"
  | "older app"
  | "recovery code of a young app"
  | "recovery code of an older app"
  | "API key"
  | "webhook"
  | "calendar address"
  | "push in this session"
  | "push in other sessions"
  | "known browser"
  | "reset link"
  | "one-time admin link"
  | "verification link"
  | "pending change of address";

/** The authenticator app of an account. */
type AppAge = "none" | "young" | "older";

const eightDaysAgo = sql`now() - interval '8 days'`;

/** Returns the token of a link for this grant. */
export async function tokenFor({ services }: Wayfare, grant: Grant): Promise<string> {
  return new URL(await createLink(services, grant)).searchParams.get("token") ?? "";
}

/** Logs in with a device's passkey. */
export async function signInWithPasskey({ app }: Wayfare, device: AuthenticatorDevice) {
  const caller = new Caller(app);
  const used = device.get(await optionsOf(caller, "account.passkeyChallenge"));
  return await caller.call("account.signInWithPasskey", { passkey: used });
}

/** Whether a webhook receives its owner's notifications. */
export async function isSent(w: Wayfare, userId: string, webhookId: string): Promise<boolean> {
  const { db, transaction } = w.services.database;
  const isForWebhook = eq(webhookDelivery.webhookId, webhookId);
  const before = await db.$count(webhookDelivery, isForWebhook);
  if ((await db.$count(user, eq(user.id, userId))) === 0) return false;
  const event = newNotification({ id: userId, email: "", caller: new Caller(w.app) });
  await transaction((tx) => notify(w.services, tx, event));
  return (await db.$count(webhookDelivery, isForWebhook)) > before;
}

/** Notifies an account's holder; returns whether each of these browsers received a push. */
async function pushSubscriberId(
  w: Wayfare,
  id: string,
  browsers: readonly FakeBrowser[],
): Promise<boolean[]> {
  const { db, transaction } = w.services.database;
  const before = browsers.map(({ received }) => received.length);
  if ((await db.$count(user, eq(user.id, id))) === 0) return browsers.map(() => false);
  const event = newNotification(
    { id, email: "", caller: new Caller(w.app) },
    { kind: "auctionWon", about: { product: "Desk", price: "R1,250.00" }, ids: { productId: randomUUID() } },
  );
  await transaction((tx) => notify(w.services, tx, event));
  await pushesAreDone(w, { id });
  return browsers.map(({ received }, at) => received.length > (before[at] ?? 0));
}

/**
 * Creates an approved agent with every credential, at an address of ADMIN_EMAILS. Factors and what depends on them are
 * limited to those that `appAge` allows.
 */
export async function createHolder(w: Wayfare, service: PushService, appAge: AppAge, email: string) {
  const { db } = w.services.database;
  const { id, caller: here } = await person(w, "agent", "approved");
  await db.update(user).set({ email, approvedAt: new Date() }).where(eq(user.id, id));
  const { baseUrl } = w.environment;
  const [young, older] = [new AuthenticatorDevice(baseUrl), new AuthenticatorDevice(baseUrl)];
  const app = appAge === "none" ? null : await authenticatorOf({ caller: here });
  if (app)
    for (const device of [young, older])
      if ((await addPasskey(here, device)).status !== 200) throw new Error("a passkey was not added");
  await db.update(passkey).set({ createdAt: eightDaysAgo }).where(eq(passkey.credentialId, older.id));
  if (appAge === "older")
    await db.update(secondFactor).set({ createdAt: eightDaysAgo }).where(eq(secondFactor.userId, id));
  const { key } = await here.api.apiKeys.create({ name: "CRM", scopes: ["students:read"], days: null });
  const webhookId = randomUUID();
  await db
    .insert(webhook)
    .values({ id: webhookId, userId: id, url: "https://crm.example/", events: someEvents });
  const calendar = new URL((await here.api.planner.makeCalendar()).url).pathname;
  const there = new Caller(w.app);
  await there.api.account.signIn({
    email,
    password: goodPassword,
    code: app?.recoveryCodes[9] ?? "",
  });
  const next = freshEmail("moved");
  await w.services.database.transaction((tx) => saveRequestedEmail(tx, id, next));
  return {
    id,
    email,
    here,
    there,
    browsers: [
      await subscribedBrowser(w, { caller: here }, service),
      await subscribedBrowser(w, { caller: there }, service),
    ],
    young,
    older,
    app,
    appAge,
    key,
    webhookId,
    calendar,
    resetToken: await tokenFor(w, { purpose: "reset", userId: id }),
    verifyToken: await tokenFor(w, { purpose: "verify", userId: id, email }),
    changeToken: await tokenFor(w, { purpose: "email", userId: id, email: next, from: email }),
    adminToken: await tokenFor(w, { purpose: "admin", email }),
  };
}
export type Holder = Awaited<ReturnType<typeof createHolder>>;

let calendarReads = 0;
/** Reads the holder's calendar from a new network, since an address may read only 60 calendars a minute. */
async function opensCalendar({ app }: Wayfare, { calendar }: Holder): Promise<boolean> {
  const network = (++calendarReads).toString(16);
  const { status } = await new Caller(app, `2001:db8:${network}::1`).request(calendar, {});
  return status === 200;
}

/**
 * Tries each credential of a holder. Logins come last, since they can change the account. `password` is the account's
 * current one, for calls that ask for it as well.
 */
export async function tryAll(w: Wayfare, holder: Holder, password: string) {
  const { id, here, there, app, appAge } = holder;
  const account = await storedUser(w, id);
  const email = account?.email ?? holder.email;
  const isSignedIn = async (caller: Caller) => (await caller.api.account.me()).viewer !== null;
  const allowCodes = () =>
    w.services.database.db.update(secondFactor).set({ lastStep: 0 }).where(eq(secondFactor.userId, id));
  const logIn = async (candidate: string, code = "") => {
    await allowCodes();
    return await new Caller(w.app).call("account.signIn", { email, password: candidate, code });
  };
  const authorization = `Bearer ${holder.key}`;
  const students = await here.request("/api/v1/students", { headers: { authorization } });
  const [isPushedHere = false, isPushedThere = false] = await pushSubscriberId(w, id, holder.browsers);
  const opensPage = async (token: string) =>
    (await here.call("account.passwordLink", { token })).status === 200;
  const results = new Map<Credential, boolean>([
    ["this session", await isSignedIn(here)],
    ["other sessions", await isSignedIn(there)],
    ["API key", students.status === 200],
    ["webhook", await isSent(w, id, holder.webhookId)],
    ["push in this session", isPushedHere],
    ["push in other sessions", isPushedThere],
    ["calendar address", await opensCalendar(w, holder)],
    [
      "known browser",
      account !== undefined && w.services.signedCookies.devices.read(there.cookie, account) !== null,
    ],
    ["reset link", await opensPage(holder.resetToken)],
    ["one-time admin link", await opensPage(holder.adminToken)],
    [
      "verification link",
      (await here.call("account.verifyEmail", { token: holder.verifyToken, password })).status === 200,
    ],
  ]);
  const withPassword = await logIn(goodPassword);
  results.set("password", withPassword.status === 200 || withPassword.code === "account/second-factor");
  // The link changes the account's address, so it comes last.
  const move = async (code: string) => {
    await allowCodes();
    const change = { token: holder.changeToken, password, code };
    const { status } = await new Caller(w.app).call("account.verifyEmail", change);
    return results.set("pending change of address", status === 200);
  };
  if (!app || appAge === "none") return await move("");
  // Without an app any code is accepted.
  const asksForCode = (await logIn(password)).code === "account/second-factor";
  const opens = async (code: string) => asksForCode && (await logIn(password, code)).status === 200;
  const unused = app.recoveryCodes.shift() ?? "";
  results.set(
    appAge === "young" ? "recovery code of a young app" : "recovery code of an older app",
    await opens(unused),
  );
  results.set(appAge === "young" ? "young app" : "older app", await opens(codeOf(app.key)));
  results.set("young passkey", (await signInWithPasskey(w, holder.young)).status === 200);
  results.set("older passkey", (await signInWithPasskey(w, holder.older)).status === 200);
  return await move(codeOf(app.key));
}
