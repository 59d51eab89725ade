import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { audit } from "#server/features/audit/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { AuthenticatorDevice, type Deviation } from "#tests/support/authenticator-device.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { addPasskey, onlyPasskey, optionsOf } from "#tests/support/passkeys.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const origin = "http://localhost:3000";
let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const student = () => person(w, "student", "active");
/** Creates a student with a passkey. */
async function holder() {
  const ada = await student();
  const device = new AuthenticatorDevice(origin);
  expect((await addPasskey(ada.caller, device)).status).toBe(200);
  return { ...ada, device };
}
async function age({ id }: Person) {
  const provedAt = sql`now() - interval '16 minutes'`;
  await w.services.database.db.update(session).set({ provedAt }).where(eq(session.userId, id));
  w.services.sessions.evict({ userId: id, ended: false });
}

describe("a new passkey", () => {
  test.each<[string, Deviation]>([
    ["another site's origin", { origin: "https://wayfare.evil.example" }],
    ["another site's id", { rpId: "evil.example" }],
    ["a challenge of its own", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["a person who was not verified", { userVerified: false }],
    ["the answer to another request", { type: "webauthn.get" }],
    ["a maker's certificate", { format: "android-key" }],
  ])("with %s is refused", async (_what, deviation) => {
    const ada = await student();
    expect((await addPasskey(ada.caller, new AuthenticatorDevice(origin), deviation)).code).toBe(
      "auth/invalid-verification-id",
    );
    expect((await ada.caller.call("signInMethods.mine")).body).toMatchObject({ passkeys: [] });
  });

  test("is refused if another account has it", async () => {
    const { device, caller } = await holder();
    const other = await student();
    expect((await addPasskey(other.caller, device)).code).toBe("already-exists");
    // The options name only the caller's own passkeys.
    const exclusions = async (by: typeof caller) =>
      Object(await optionsOf(by, "signInMethods.startPasskey")).excludeCredentials;
    expect(await exclusions(caller)).toMatchObject([{ id: device.id }]);
    expect(await exclusions(other.caller)).toEqual([]);
  });

  test("is refused beyond ten passkeys, even if several are added concurrently", async () => {
    const ada = await student();
    for (let passkeys = 0; passkeys < 9; passkeys++)
      await addPasskey(ada.caller, new AuthenticatorDevice(origin));
    const attestations = [];
    for (let times = 0; times < 2; times++)
      attestations.push(
        new AuthenticatorDevice(origin).create(await optionsOf(ada.caller, "signInMethods.startPasskey")),
      );
    const answers = await Promise.all(
      attestations.map((each) => ada.caller.call("signInMethods.addPasskey", { passkey: each })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await ada.caller.call("signInMethods.startPasskey")).message).toBe(
      "You can have up to 10 passkeys.",
    );
  });

  test("needs a recent login, and so does its removal", async () => {
    const ada = await holder();
    await age(ada);
    for (const procedure of ["startPasskey", "removePasskey"])
      expect((await ada.caller.call(`signInMethods.${procedure}`, { id: "unknown" })).code).toBe(
        "auth/requires-recent-login",
      );
    const attestation = new AuthenticatorDevice(origin).create({
      rp: { id: "x" },
      user: { id: "" },
      challenge: "",
    });
    expect((await ada.caller.call("signInMethods.addPasskey", { passkey: attestation })).code).toBe(
      "auth/requires-recent-login",
    );
  });

  test("is in the audit log, and so is its removal", async () => {
    const ada = await holder();
    const id = await onlyPasskey(ada.caller);
    expect((await ada.caller.call("signInMethods.removePasskey", { id })).status).toBe(200);
    const { db } = w.services.database;
    const entries = await db.select().from(audit).where(eq(audit.subjectId, ada.id)).orderBy(audit.id);
    expect(entries).toMatchObject(
      ["second-factor-added", "second-factor-removed"].map((action) => ({
        action,
        actorId: ada.id,
        detail: { kind: "passkey" },
      })),
    );
  });

  test("can only be renamed and removed by its holder", async () => {
    const [ada, obi] = [await holder(), await holder()];
    const id = await onlyPasskey(ada.caller);
    const rename = ({ caller }: Person, name: string) =>
      caller.call("signInMethods.renamePasskey", { id, name });
    expect((await rename(obi, "Mine")).code).toBe("not-found");
    expect((await rename(ada, " ")).message).toBe("Please enter a name.");
    expect((await rename(ada, "Ada's phone ")).status).toBe(200);
    expect((await ada.caller.call("signInMethods.mine")).body).toMatchObject({
      passkeys: [{ name: "Ada's phone" }],
    });
    expect((await obi.caller.call("signInMethods.removePasskey", { id })).code).toBe("not-found");
  });
});
