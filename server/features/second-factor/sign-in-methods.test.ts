import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuditAction } from "#domain/audit.ts";
import { verification } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { authenticatorOf, codeOf, wrongCodeOf } from "#tests/support/authenticator.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, type Person, person } from "#tests/support/factories.ts";
import { proveMailbox } from "#tests/support/mailed-code.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { liveChannel } from "../index.ts";
import { recoveryCode, secondFactor } from "./tables.ts";

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
const login = ({ email }: Person, code = "", node = w, password = goodPassword) =>
  new Caller(node.app).call("account.signIn", { email, password, code });
const entriesOf = async ({ id }: Person, action: AuditAction) =>
  await w.services.database.db
    .select()
    .from(audit)
    .where(and(eq(audit.subjectId, id), eq(audit.action, action)))
    .orderBy(audit.id);

async function age({ id }: Person) {
  const provedAt = sql`now() - interval '16 minutes'`;
  await w.services.database.db.update(session).set({ provedAt }).where(eq(session.userId, id));
  for (const node of [w, other]) node.services.sessions.evict({ userId: id, ended: false });
}

describe("an authenticator app", () => {
  test("is required at every login from then on", async () => {
    const ada = await student();
    expect((await login(ada)).status).toBe(200);
    const { key, recoveryCodes } = await authenticatorOf(ada);
    expect(recoveryCodes).toHaveLength(10);
    expect((await ada.caller.call("signInMethods.mine")).body).toMatchObject({
      authenticator: { recoveryCodes: 10 },
    });
    expect(await login(ada)).toMatchObject({ status: 401, code: "account/second-factor" });
    expect((await login(ada, wrongCodeOf(key))).code).toBe("auth/invalid-verification-code");
    expect((await login(ada, codeOf(key, 1), w, "wrong password")).code).toBe("auth/invalid-credential");
    expect((await login(ada, codeOf(key, 1))).status).toBe(200);
    expect(await entriesOf(ada, "second-factor-added")).toMatchObject([
      { actorId: ada.id, detail: { kind: "authenticator" } },
    ]);
  });

  test("accepts each step once, even concurrently on two nodes, and not the one that set it up", async () => {
    const ada = await student();
    const { key, used } = await authenticatorOf(ada);
    expect((await login(ada, used)).code).toBe("auth/invalid-verification-code");
    const code = codeOf(key, 1);
    const answers = await Promise.all([w, other, w, other].map((node) => login(ada, code, node)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("is only on once a valid code has shown that it has the key", async () => {
    const ada = await student();
    const { key } = await ada.caller.api.signInMethods.startAuthenticator();
    const confirm = (code: string) => ada.caller.call("signInMethods.confirmAuthenticator", { code });
    expect(await confirm(wrongCodeOf(key))).toMatchObject({
      status: 422,
      code: "auth/invalid-verification-code",
      body: { data: { field: "code" } },
    });
    // Codes of a minute ago or of a minute ahead are refused too.
    for (const steps of [-2, 3])
      expect((await confirm(codeOf(key, steps))).code).toBe("auth/invalid-verification-code");
    expect((await login(ada)).status).toBe(200);
    const answers = await Promise.all([confirm(codeOf(key)), confirm(codeOf(key))]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(answers.map(({ status }) => status)).toContain(409);
    expect((await ada.caller.call("signInMethods.startAuthenticator")).code).toBe("failed-precondition");
  });

  test("accepts no code for a key that is another account's, superseded or expired", async () => {
    const [ada, obi] = [await student(), await student()];
    const offer = async ({ caller }: Person) => (await caller.api.signInMethods.startAuthenticator()).key;
    const confirm = ({ caller }: Person, code: string) =>
      caller.call("signInMethods.confirmAuthenticator", { code });
    const [former, adas, obis] = [await offer(ada), await offer(ada), await offer(obi)];
    expect(new Set([former, adas, obis]).size).toBe(3);
    expect((await confirm(obi, codeOf(adas))).code).toBe("auth/invalid-verification-code");
    expect((await confirm(ada, codeOf(former))).code).toBe("auth/invalid-verification-code");
    const { db } = w.services.database;
    const offered = eq(verification.identifier, `authenticator-offered:${ada.id}`);
    const [row] = await db.select().from(verification).where(offered);
    expect(row?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 30 * 60_000);
    await db.update(verification).set({ expiresAt: new Date() }).where(offered);
    expect((await confirm(ada, codeOf(adas))).code).toBe("auth/invalid-verification-id");
  });

  test("is stored so that nobody can read its key or its recovery codes", async () => {
    const ada = await student();
    const { key } = await ada.caller.api.signInMethods.startAuthenticator();
    const { db } = w.services.database;
    expect(JSON.stringify(await db.select().from(verification))).not.toContain(key);
    const { recoveryCodes } = await ada.caller.api.signInMethods.confirmAuthenticator({ code: codeOf(key) });
    const json = JSON.stringify([await db.select().from(secondFactor), await db.select().from(recoveryCode)]);
    expect(json).not.toContain(key);
    for (const code of recoveryCodes) expect(json).not.toContain(code);
  });

  test("is turned off together with its recovery codes", async () => {
    const ada = await student();
    const { key, recoveryCodes } = await authenticatorOf(ada);
    expect((await ada.caller.call("signInMethods.removeAuthenticator")).status).toBe(200);
    expect((await ada.caller.call("signInMethods.removeAuthenticator")).code).toBe("failed-precondition");
    expect(await entriesOf(ada, "second-factor-removed")).toMatchObject([
      { actorId: ada.id, detail: { kind: "authenticator" } },
    ]);
    const ofAda = eq(recoveryCode.userId, ada.id);
    expect(await w.services.database.db.select().from(recoveryCode).where(ofAda)).toEqual([]);
    // The earlier key is no longer on offer.
    const again = await ada.caller.call("signInMethods.confirmAuthenticator", { code: codeOf(key, 1) });
    expect(again.code).toBe("auth/invalid-verification-id");
    expect((await login(ada)).status).toBe(200);
    await authenticatorOf(ada);
    expect((await login(ada, recoveryCodes[0])).code).toBe("auth/invalid-verification-code");
  });

  test("confirms an identity together with the password", async () => {
    const ada = await student();
    const { key } = await authenticatorOf(ada);
    await age(ada);
    const confirm = (code: string) =>
      ada.caller.call("account.confirmIdentity", { password: goodPassword, code });
    expect((await confirm("")).code).toBe("account/second-factor");
    expect((await confirm(wrongCodeOf(key))).code).toBe("auth/invalid-verification-code");
    expect((await ada.caller.call("signInMethods.renewRecoveryCodes")).code).toBe(
      "auth/requires-recent-login",
    );
    expect((await confirm(codeOf(key, 1))).status).toBe(200);
    expect((await ada.caller.call("signInMethods.renewRecoveryCodes")).status).toBe(200);
    expect((await entriesOf(ada, "sign-in-failed")).map(({ detail }) => detail)).toEqual([
      { refusal: "account/second-factor" },
      { refusal: "auth/invalid-verification-code" },
    ]);
    for (const action of ["identity-confirmed", "recovery-codes-renewed"] as const)
      expect(await entriesOf(ada, action)).toMatchObject([{ actorId: ada.id }]);
  });

  test("wrong codes are failures that lock the account, in a login and in a confirmation", async () => {
    const confirm = ({ caller }: Person, code = "") =>
      caller.call("account.confirmIdentity", { password: goodPassword, code });
    for (const attempt of [login, confirm]) {
      const ada = await student();
      const { key, recoveryCodes } = await authenticatorOf(ada);
      for (let times = 0; times < 10; times++)
        expect((await attempt(ada, wrongCodeOf(key))).code).toBe("auth/invalid-verification-code");
      expect((await attempt(ada, recoveryCodes[0])).code).toBe("auth/too-many-requests");
    }
  });
});

test.each(["startAuthenticator", "confirmAuthenticator", "removeAuthenticator", "renewRecoveryCodes"])(
  "%s needs a recent login",
  async (procedure) => {
    const ada = await student();
    if (procedure !== "startAuthenticator" && procedure !== "confirmAuthenticator")
      await authenticatorOf(ada);
    await age(ada);
    expect((await ada.caller.call(`signInMethods.${procedure}`, { code: "123456" })).code).toBe(
      "auth/requires-recent-login",
    );
  },
);

describe("a recovery code", () => {
  test("logs in once, however it is typed, and the audit log says how many are left", async () => {
    const ada = await student();
    const { recoveryCodes } = await authenticatorOf(ada);
    const [first = "", second = ""] = recoveryCodes;
    expect((await login(ada, ` ${first.toUpperCase().replaceAll("-", " ")} `)).status).toBe(200);
    expect((await login(ada, first)).code).toBe("auth/invalid-verification-code");
    expect((await login(ada, second, w, "wrong password")).code).toBe("auth/invalid-credential");
    expect((await login(ada, second)).status).toBe(200);
    expect(await entriesOf(ada, "recovery-code-used")).toMatchObject([
      { actorId: ada.id, detail: { left: "9" } },
      { detail: { left: "8" } },
    ]);
    expect((await ada.caller.call("signInMethods.mine")).body).toMatchObject({
      authenticator: { recoveryCodes: 8 },
    });
  });

  test("lets only one of two concurrent logins on two nodes pass", async () => {
    const ada = await student();
    const { recoveryCodes } = await authenticatorOf(ada);
    const answers = await Promise.all([w, other].map((node) => login(ada, recoveryCodes[0], node)));
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(answers.map(({ status }) => status)).toContain(422);
  });

  test("is refused if it is another account's or was replaced", async () => {
    const [ada, obi] = [await student(), await student()];
    const { recoveryCodes } = await authenticatorOf(ada);
    const { recoveryCodes: obis } = await authenticatorOf(obi);
    expect((await login(obi, recoveryCodes[0])).code).toBe("auth/invalid-verification-code");
    await ada.caller.call("signInMethods.renewRecoveryCodes");
    expect((await login(ada, recoveryCodes[0])).code).toBe("auth/invalid-verification-code");
    // An admin's link sets up another app in this way.
    await w.services.database.transaction((tx) => w.services.secondFactors.store(tx, obi.id, "a token", 0));
    expect((await login(obi, obis[0])).code).toBe("auth/invalid-verification-code");
  });
});

describe("if the configuration requires a second factor of agents", () => {
  let strict: Wayfare;
  beforeAll(async () => {
    strict = await wayfare({ variables: { SECOND_FACTOR_REQUIRED: "agents" }, on: w.address });
  });
  afterAll(() => strict.stop());

  test("an agent without one can only set one up, and has access afterwards", async () => {
    const { email } = await person(w, "agent", "approved");
    const caller = new Caller(strict.app);
    const { body } = await caller.call("account.signIn", { email, password: goodPassword });
    expect(body).toMatchObject({ lacksSecondFactor: true });
    const refused = { status: 403, code: "account/second-factor-required" };
    for (const [procedure, input] of [
      ["students.list", {}],
      ["profile.mine", {}],
      ["notifications.unread", {}],
      ["account.changePassword", {}],
      ["auctions.create", {}],
      ["auctions.myBids", {}],
    ] as const)
      expect(await caller.call(procedure, input), procedure).toMatchObject(refused);
    const bid = { productId: "00000000-0000-4000-8000-000000000000", amount: 100 };
    const key = "00000000-0000-4000-8000-000000000000";
    expect(await caller.call("auctions.bid", { ...bid, idempotencyKey: key })).toMatchObject(refused);
    // Public procedures stay open.
    expect((await caller.call("auctions.list")).status).toBe(200);
    for (const path of ["/files/audit.csv", "/files/students/x", "/files/documents/x"])
      expect((await caller.request(path, {})).status, path).toBeGreaterThanOrEqual(400);
    const upload = { method: "POST", headers: { "content-type": "application/octet-stream" } };
    const request = { ...upload, headers: { ...upload.headers, "x-csrf-token": "orpc" }, body: "x" };
    expect((await caller.request("/files/auction-pictures", request)).status).toBe(401);
    const lacking = await strict.services.sessions.checkAny(caller.cookie);
    expect(lacking).not.toBeNull();
    expect(await strict.services.sessions.check(caller.cookie)).toBeNull();
    const topics = ["students", "dashboard", "notifications"] as const;
    expect(topics.map((topic) => liveChannel(topic, lacking))).toEqual([null, null, null]);

    await proveMailbox(strict, caller);
    await authenticatorOf({ caller });
    expect((await caller.call("account.me")).body).toMatchObject({ viewer: { lacksSecondFactor: false } });
    expect((await caller.call("students.list")).status).toBe(200);
  });

  test("an agent can't turn it off, and a student needs none", async () => {
    const { id, email } = await person(w, "agent", "approved");
    const caller = new Caller(strict.app);
    await caller.call("account.signIn", { email, password: goodPassword });
    await proveMailbox(strict, caller);
    await authenticatorOf({ caller });
    expect((await caller.call("signInMethods.removeAuthenticator")).code).toBe(
      "account/second-factor-required",
    );
    const { db } = w.services.database;
    expect(await db.select().from(secondFactor).where(eq(secondFactor.userId, id))).toHaveLength(1);
    const ada = await person(strict, "student", "active");
    expect((await ada.caller.call("profile.mine")).status).toBe(200);
  });
});
