import { ORPCError } from "@orpc/server";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { audit } from "#server/features/audit/tables.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, type Person, person, signIn } from "#tests/support/factories.ts";
import { optionsOf } from "#tests/support/passkeys.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { requireRecentLogin } from "./recent-login.ts";
import { session } from "./tables.ts";

let w: Wayfare;
let other: Wayfare;
beforeAll(async () => {
  w = await wayfare();
  other = await wayfare({ on: w.address });
});
afterAll(async () => {
  await other.stop();
  await w.stop();
});

/** Dates all logins of an account back by a number of minutes. */
async function age({ id }: Person, minutes = 16) {
  await w.services.database.db
    .update(session)
    .set({ provedAt: sql`now() - make_interval(mins => ${minutes})` })
    .where(eq(session.userId, id));
  w.services.sessions.evict({ userId: id, ended: false });
}

/** Returns a node's answer to a command that needs a recent login. */
async function callOn(node: Wayfare, { caller }: Person): Promise<unknown> {
  const session = await node.services.sessions.check(caller.cookie);
  if (!session) return "no session";
  try {
    requireRecentLogin(session);
    return "recent";
  } catch (error) {
    return error instanceof ORPCError ? error.code : error;
  }
}

const confirm = ({ caller }: Person, password: string) =>
  caller.call("account.confirmIdentity", { password });

test("a login is recent for fifteen minutes", async () => {
  const ada = await person(w, "student", "active");
  expect(await callOn(w, ada)).toBe("recent");
  await age(ada, 14);
  expect(await callOn(w, ada)).toBe("recent");
  await age(ada, 15);
  expect(await callOn(w, ada)).toBe("auth/requires-recent-login");
});

test("the password makes a login recent again on every node, but only in this session", async () => {
  const ada = await person(w, "student", "active");
  const phone: Person = { ...ada, caller: new Caller(w.app) };
  await phone.caller.call("account.signIn", { email: ada.email, password: goodPassword });
  await age(ada);
  expect(await callOn(other, ada)).toBe("auth/requires-recent-login");
  expect((await confirm(ada, goodPassword)).status).toBe(200);
  expect(await callOn(w, ada)).toBe("recent");
  await until(async () => (await callOn(other, ada)) === "recent");
  expect(await callOn(w, phone)).toBe("auth/requires-recent-login");
});

test("a wrong password confirms nothing, counts as a failed login and is in the audit log", async () => {
  const ada = await person(w, "student", "active");
  await age(ada);
  expect(await confirm(ada, "")).toMatchObject({ status: 422, code: "form/incomplete" });
  for (let times = 0; times < 10; times++)
    expect(await confirm(ada, "wrong password")).toMatchObject({ status: 401, code: "auth/wrong-password" });
  expect((await confirm(ada, goodPassword)).code).toBe("auth/too-many-requests");
  expect(await callOn(w, ada)).toBe("auth/requires-recent-login");
  const failed = await w.services.database.db.select().from(audit).where(eq(audit.actorId, ada.id));
  expect(failed.filter(({ action }) => action === "sign-in-failed")).toHaveLength(10);
  expect(failed.filter(({ action }) => action === "identity-confirmed")).toHaveLength(0);
});

test("failures with a passkey count towards the limit of their IP address", async () => {
  const { id } = await person(w, "student", "active");
  const caller = new Caller(w.app, "198.51.100.1");
  await signIn(w, caller, id);
  const device = new AuthenticatorDevice(w.environment.baseUrl);
  const attempt = async () =>
    await caller.call("account.confirmWithPasskey", {
      passkey: device.get(await optionsOf(caller, "account.confirmationChallenge")),
    });
  for (let times = 0; times < 50; times++) expect((await attempt()).code).toBe("auth/invalid-credential");
  expect((await attempt()).code).toBe("auth/too-many-requests");
});

test("a session that ends while its holder confirms stays ended", async () => {
  const ada = await person(w, "student", "active");
  const session = await w.services.sessions.check(ada.caller.cookie);
  if (!session) throw new Error("there is no session");
  await w.services.database.transaction((tx) => w.services.sessions.endAll(tx, ada.id));
  const proved = await w.services.database.transaction((tx) => w.services.sessions.prove(tx, session, false));
  expect(proved).toBe(false);
  expect((await confirm(ada, goodPassword)).code).toBe("unauthenticated");
});
