import { generateKeyPairSync } from "node:crypto";
import { and, desc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verification } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { removeSecondFactor } from "#server/features/second-factor/commands/remove-factors.ts";
import { passkey } from "#server/features/second-factor/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { AuthenticatorDevice, type Deviation } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, type Person, person } from "#tests/support/factories.ts";
import { proveMailbox } from "#tests/support/mailed-code.ts";
import { addPasskey, onlyPasskey, optionsOf } from "#tests/support/passkeys.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const origin = "http://localhost:3000";
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

const student = () => person(w, "student", "active");
/** Adds a passkey to a person, by default a new student. */
async function holder(who?: Person) {
  const ada = who ?? (await student());
  const device = new AuthenticatorDevice(origin);
  expect((await addPasskey(ada.caller, device)).status).toBe(200);
  return { ...ada, device };
}
let addressCount = 0;
/** Calls from a new IP address each time, so that failures of one test are not counted in another. */
const newCaller = (node = w) => new Caller(node.app, `198.51.100.${(addressCount += 1)}`);
async function login(device: AuthenticatorDevice, deviation: Deviation = {}, caller = newCaller()) {
  const proof = device.get(await optionsOf(caller, "account.passkeyChallenge"), deviation);
  return await caller.call("account.signInWithPasskey", { passkey: proof });
}
async function age({ id }: Person) {
  const provedAt = sql`now() - interval '16 minutes'`;
  await w.services.database.db.update(session).set({ provedAt }).where(eq(session.userId, id));
  for (const node of [w, other]) node.services.sessions.evict({ userId: id, ended: false });
}
const isRecent = async ({ caller }: Person) =>
  (await caller.call("signInMethods.startPasskey")).status === 200;

describe("a passkey", () => {
  test("logs in without password and code", async () => {
    const { id, device, caller } = await holder();
    const browser = newCaller();
    const answer = await login(device, {}, browser);
    expect(answer).toMatchObject({ status: 200, body: { id, role: "student" } });
    expect((await browser.call("account.me")).body).toMatchObject({ viewer: { id } });
    expect((await caller.call("signInMethods.mine")).body).toMatchObject({
      passkeys: [{ name: "Passkey", lastUsed: expect.anything() }],
    });
    const { db } = w.services.database;
    const entries = await db
      .select()
      .from(audit)
      .where(and(eq(audit.subjectId, id), eq(audit.action, "sign-in")));
    expect(entries).toMatchObject([{ actorId: id, detail: { by: "passkey" } }]);
  });

  test.each<[string, Deviation]>([
    ["another site's origin", { origin: "https://wayfare.evil.example" }],
    ["another site's id", { rpId: "evil.example" }],
    ["a challenge of its own", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["a person who was not verified", { userVerified: false }],
    ["the answer to another request", { type: "webauthn.create" }],
    ["another account's handle", { userHandle: "c29tZWJvZHk" }],
    ["no handle", { userHandle: "" }],
    ["another key", { key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey }],
  ])("with %s is refused", async (_what, deviation) => {
    const { id, device } = await holder();
    expect(await login(device, deviation)).toMatchObject({ status: 401, code: "auth/invalid-credential" });
    const { db } = w.services.database;
    const failed = await db
      .select()
      .from(audit)
      .where(and(eq(audit.subjectId, id), eq(audit.action, "sign-in-failed")));
    expect(failed).toHaveLength(1);
    expect((await login(device)).status).toBe(200);
  });

  test("is refused if it is unknown or was removed", async () => {
    expect((await login(new AuthenticatorDevice(origin))).code).toBe("auth/invalid-credential");
    const { device, caller } = await holder();
    const id = await onlyPasskey(caller);
    expect((await caller.call("signInMethods.removePasskey", { id })).status).toBe(200);
    expect((await login(device)).code).toBe("auth/invalid-credential");
    const [obi, kofi] = [await holder(), await holder()];
    // The operator removes the second factor.
    expect(await removeSecondFactor(w.services, obi.id)).toBe(true);
    expect((await login(obi.device)).code).toBe("auth/invalid-credential");
    expect((await login(kofi.device)).status).toBe(200);
  });

  test("is refused if its counter does not increase, because it may be a copy", async () => {
    const { device } = await holder();
    expect((await login(device, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0])
      expect((await login(device, { counter })).code).toBe("auth/invalid-credential");
    expect((await login(device, { counter: 8 })).status).toBe(200);
  });

  test("is accepted only once for concurrent logins with the same counter", async () => {
    const { device } = await holder();
    const answers = await Promise.all(
      [w, other, w, other, w, other].map((node) => login(device, { counter: 7 }, newCaller(node))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("works even if it does not count at all", async () => {
    const { device } = await holder();
    for (let times = 0; times < 2; times++) expect((await login(device, { counter: 0 })).status).toBe(200);
  });

  test("says that its account is disabled or revoked, but nothing about a denied one", async () => {
    const boss = await person(w, "admin", "active");
    const ada = await holder();
    await boss.caller.call("students.setDisabled", { userId: ada.id, disabled: true });
    expect((await login(ada.device)).code).toBe("auth/user-disabled");
    const kofi = await holder(await person(w, "agent", "approved"));
    await boss.caller.call("agents.revoke", { id: kofi.id });
    expect((await login(kofi.device)).code).toBe("account/revoked");
    const abena = await holder(await person(w, "agent", "pending"));
    await boss.caller.call("agents.deny", { id: abena.id });
    expect((await login(abena.device)).code).toBe("auth/invalid-credential");
  });

  test("opens a session for an admin that ends with the browser", async () => {
    const { device } = await holder(await person(w, "admin", "active"));
    const { headers } = await login(device);
    const line = headers.getSetCookie().find((each) => each.startsWith("wayfare.session_token"));
    expect(line).toBeDefined();
    expect(line).not.toContain("Max-Age");
  });

  test("is locked for an IP address after fifty failures", async () => {
    const caller = newCaller();
    const device = new AuthenticatorDevice(origin);
    for (let times = 0; times < 50; times++)
      expect((await login(device, {}, caller)).code).toBe("auth/invalid-credential");
    const { device: good } = await holder();
    expect((await login(good, {}, caller)).code).toBe("auth/too-many-requests");
  });
});

describe("a challenge", () => {
  test("works once, even for concurrent responses on two nodes", async () => {
    const { device } = await holder();
    const [one, two] = [newCaller(), newCaller(other)];
    const proof = device.get(await optionsOf(one, "account.passkeyChallenge"));
    const answers = await Promise.all(
      [one, two].map((caller) => caller.call("account.signInWithPasskey", { passkey: proof })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await one.call("account.signInWithPasskey", { passkey: proof })).code).toBe(
      "auth/invalid-credential",
    );
  });

  test("is consumed by an invalid response", async () => {
    const { device } = await holder();
    const caller = newCaller();
    const options = await optionsOf(caller, "account.passkeyChallenge");
    const send = (deviation: Deviation) =>
      caller.call("account.signInWithPasskey", { passkey: device.get(options, deviation) });
    expect((await send({ userVerified: false })).code).toBe("auth/invalid-credential");
    expect((await send({})).code).toBe("auth/invalid-credential");
  });

  test("expires after five minutes, and is deleted when the next one is requested", async () => {
    const { device } = await holder();
    const caller = newCaller();
    const proof = device.get(await optionsOf(caller, "account.passkeyChallenge"));
    const { db } = w.services.database;
    const challenges = sql`starts_with(${verification.identifier}, 'passkey-challenge:')`;
    const [challenge] = await db
      .select()
      .from(verification)
      .where(challenges)
      .orderBy(desc(verification.expiresAt));
    expect(challenge?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 5 * 60_000);
    await db.update(verification).set({ expiresAt: new Date() }).where(challenges);
    expect((await caller.call("account.signInWithPasskey", { passkey: proof })).code).toBe(
      "auth/invalid-credential",
    );
    await optionsOf(caller, "account.passkeyChallenge");
    expect(await db.select().from(verification).where(challenges)).toHaveLength(1);
  });

  test("is refused for another purpose or another account", async () => {
    const [ada, obi] = [await holder(), await holder()];
    const confirmation = await optionsOf(ada.caller, "account.confirmationChallenge");
    const asLogin = { passkey: ada.device.get(confirmation) };
    expect((await newCaller().call("account.signInWithPasskey", asLogin)).code).toBe(
      "auth/invalid-credential",
    );
    const forLogin = { passkey: ada.device.get(await optionsOf(newCaller(), "account.passkeyChallenge")) };
    expect((await ada.caller.call("account.confirmWithPasskey", forLogin)).code).toBe(
      "auth/invalid-credential",
    );
    const adas = await optionsOf(ada.caller, "account.confirmationChallenge");
    const obis = { passkey: obi.device.get(adas) };
    expect((await obi.caller.call("account.confirmWithPasskey", obis)).code).toBe("auth/invalid-credential");
    const device = new AuthenticatorDevice(origin);
    const attestation = device.create(await optionsOf(ada.caller, "signInMethods.startPasskey"));
    expect((await obi.caller.call("signInMethods.addPasskey", { passkey: attestation })).code).toBe(
      "auth/invalid-verification-id",
    );
  });

  test("can be requested 150 times in ten minutes from an IP address", async () => {
    const caller = newCaller();
    const requestChallenge = () => caller.call("account.passkeyChallenge");
    const answers = [];
    for (let times = 0; times < 151; times++) answers.push((await requestChallenge()).status);
    expect(answers.filter((status) => status === 200)).toHaveLength(150);
    expect(answers.at(-1)).toBe(429);
  });
});

describe("confirming an identity", () => {
  const confirm = async ({ caller }: Person, device: AuthenticatorDevice, deviation: Deviation = {}) => {
    const proof = device.get(await optionsOf(caller, "account.confirmationChallenge"), deviation);
    return await caller.call("account.confirmWithPasskey", { passkey: proof });
  };

  test("accepts a passkey of the account, and no other", async () => {
    const [ada, obi] = [await holder(), await holder()];
    await age(ada);
    expect((await confirm(ada, obi.device)).code).toBe("auth/invalid-credential");
    expect((await confirm(ada, ada.device, { userVerified: false })).code).toBe("auth/invalid-credential");
    expect(await isRecent(ada)).toBe(false);
    expect((await confirm(ada, ada.device)).status).toBe(200);
    expect(await isRecent(ada)).toBe(true);
    const { db } = w.services.database;
    const entries = await db.select().from(audit).where(eq(audit.actorId, ada.id)).orderBy(audit.id);
    const [first, second, third] = entries.slice(-3);
    for (const failed of [first, second])
      expect(failed).toMatchObject({ action: "sign-in-failed", subjectId: ada.id });
    expect(third).toMatchObject({ action: "identity-confirmed", detail: { by: "passkey" } });
  });

  test("accepts a counter once, even in concurrent calls", async () => {
    const ada = await holder();
    const answers = await Promise.all([1, 2, 3, 4].map(() => confirm(ada, ada.device, { counter: 7 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe("if a second factor is required of agents", () => {
  let strict: Wayfare;
  beforeAll(async () => {
    strict = await wayfare({ variables: { SECOND_FACTOR_REQUIRED: "agents" }, on: w.address });
  });
  afterAll(() => strict.stop());

  test("a passkey is one: the password alone is no longer enough, and the last one can't be removed", async () => {
    const { email } = await person(w, "agent", "approved");
    const caller = new Caller(strict.app);
    const password = { email, password: goodPassword };
    await caller.call("account.signIn", password);
    expect((await caller.call("students.list")).code).toBe("account/second-factor-required");
    await proveMailbox(strict, caller);
    const { device } = await holder({ id: "", email, caller });
    expect((await caller.call("students.list")).status).toBe(200);
    expect((await caller.call("account.me")).body).toMatchObject({ viewer: { lacksSecondFactor: false } });
    expect((await new Caller(strict.app).call("account.signIn", password)).code).toBe("account/passkey");
    expect((await caller.call("account.confirmIdentity", { password: goodPassword })).code).toBe(
      "account/passkey",
    );
    const id = await onlyPasskey(caller);
    expect((await caller.call("signInMethods.removePasskey", { id })).code).toBe(
      "account/second-factor-required",
    );
    expect((await login(device, {}, newCaller(strict))).status).toBe(200);
  });

  test("a student, who needs none, logs in with the password as before", async () => {
    const ada = await holder(await person(strict, "student", "active"));
    const password = { email: ada.email, password: goodPassword };
    expect((await new Caller(strict.app).call("account.signIn", password)).status).toBe(200);
  });
});

test("an account's passkeys are deleted with it", async () => {
  const ada = await holder();
  await w.asOwner(`delete from "user" where id = '${ada.id}'`);
  expect(await w.services.database.db.select().from(passkey).where(eq(passkey.userId, ada.id))).toEqual([]);
  expect((await login(ada.device)).code).toBe("auth/invalid-credential");
});
