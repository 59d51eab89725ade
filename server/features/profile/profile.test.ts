import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { identityFields, profileFields } from "#domain/profile.ts";
import { Caller } from "#tests/support/caller.ts";
import { fullProfile, type Person, person, storedUser } from "#tests/support/factories.ts";
import { openStream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { audit } from "../audit/tables.ts";
import { profile } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const save = (who: Person, version: number, changes: object = {}) =>
  who.caller.call("profile.save", { version, profile: { ...fullProfile, ...changes } });
const mine = async (who: Person) => (await who.caller.call("profile.mine")).body;
const auditOf = (id: string) =>
  w.services.database.db.select().from(audit).where(eq(audit.subjectId, id)).orderBy(asc(audit.id));

describe.each([
  ["student", "active"],
  ["agent", "approved"],
] as const)("a profile of an %s", (role, status) => {
  test("is empty except for the account's fields, and reads back as it was saved, trimmed", async () => {
    const who = await person(w, role, status);
    const empty = Object.fromEntries(profileFields.map((field) => [field, ""]));
    expect(await mine(who)).toEqual({
      version: 0,
      profile: { ...empty, firstName: "Ada", lastName: "Obi", email: who.email },
      pendingEmail: null,
      entries: [],
    });
    expect((await save(who, 0, { firstName: "  Adaeze ", city: " Lagos  " })).status).toBe(200);
    expect(await mine(who)).toEqual({
      version: 1,
      profile: { ...fullProfile, firstName: "Adaeze", city: "Lagos", email: who.email },
      pendingEmail: null,
      entries: [],
    });
  });

  test("stores names, phone and country on the account, together with the full name", async () => {
    const who = await person(w, role, status);
    await save(who, 0, { firstName: "Chi", lastName: "Eze", phoneNumber: "080 12345" });
    const columns = {
      firstName: "Chi",
      lastName: "Eze",
      name: "Chi Eze",
      phone: "080 12345",
      country: "NG",
    };
    expect(await storedUser(w, who.id)).toMatchObject({ ...columns, email: who.email });
    expect((await who.caller.call("account.me")).body).toMatchObject({
      viewer: { firstName: "Chi", lastName: "Eze", phone: "080 12345" },
    });
  });

  test("can have its fields cleared again", async () => {
    const who = await person(w, role, status);
    await save(who, 0);
    const cleared = { dateOfBirth: "", passportExpiry: "", gender: "", citizenship: "", country: "" };
    expect((await save(who, 1, cleared)).status).toBe(200);
    expect(await mine(who)).toMatchObject({ version: 2, profile: cleared });
  });
});

test("an invalid phone number that is already stored does not prevent a save until it is changed", async () => {
  const who = await person(w, "student", "active");
  const { db } = w.services.database;
  await db.update(user).set({ phone: "call me" }).where(eq(user.id, who.id));
  expect((await save(who, 0, { phoneNumber: "call me", city: "Lagos" })).status).toBe(200);
  expect(await save(who, 1, { phoneNumber: "call us" })).toMatchObject({
    status: 422,
    message: "Please enter a valid phone number.",
  });
});

test("invalid values are reported by field, and nothing is stored", async () => {
  const who = await person(w, "student", "active");
  for (const [changes, message, field] of [
    [{ firstName: " " }, "Please enter your first name.", "firstName"],
    [{ dateOfBirth: "2023-02-29" }, "Please enter your date of birth as a date.", "dateOfBirth"],
    [{ dateOfBirth: "2999-01-01" }, "Please enter a date of birth in the past.", "dateOfBirth"],
    [{ country: "Atlantis" }, "Please choose your country from the list.", "country"],
    [
      { addressLine1: "x".repeat(121) },
      "Address line 1 must be at most 120 characters long.",
      "addressLine1",
    ],
  ] as const)
    expect(await save(who, 0, changes)).toMatchObject({
      status: 422,
      code: "form/incomplete",
      message,
      body: { data: { field } },
    });
  expect(await mine(who)).toMatchObject({ version: 0, profile: { city: "" } });
});

test("an injected email, role, version or id changes nothing", async () => {
  const [who, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const injected = {
    email: "new@example.org",
    role: "admin",
    status: "approved",
    userId: other.id,
    version: 9,
  };
  expect((await save(who, 0, injected)).code).toBe("invalid-argument");
  const around = { version: 0, profile: fullProfile, userId: other.id, role: "admin" };
  expect((await who.caller.call("profile.save", around)).status).toBe(200);
  expect(await storedUser(w, who.id)).toMatchObject({ email: who.email, role: "student", status: "active" });
  expect(await mine(other)).toMatchObject({ version: 0, profile: { email: other.email, city: "" } });
});

test("a country typed at sign-up stays until another is chosen", async () => {
  const agent = await person(w, "agent", "approved");
  await w.services.database.db.update(user).set({ country: "UK" }).where(eq(user.id, agent.id));
  expect((await save(agent, 0, { country: "UK" })).status).toBe(200);
  expect((await save(agent, 1, { country: "GH" })).status).toBe(200);
  expect((await save(agent, 2, { country: "UK" })).code).toBe("form/incomplete");
});

describe("concurrent saves", () => {
  test("a save of an older version is a conflict and overwrites nothing", async () => {
    const who = await person(w, "student", "active");
    expect((await save(who, 0, { city: "Lagos" })).status).toBe(200);
    expect(await save(who, 0, { city: "Abuja" })).toMatchObject({ status: 409, code: "failed-precondition" });
    expect(await save(who, 7, { city: "Abuja" })).toMatchObject({ code: "failed-precondition" });
    expect(await mine(who)).toMatchObject({ version: 1, profile: { city: "Lagos" } });
  });

  test.each([0, 1])("one of ten on version %i succeeds", async (version) => {
    const who = await person(w, "student", "active");
    if (version === 1) await save(who, 0);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => save(who, version, { firstName: `N${at}`, city: `City ${at}` })),
    );
    const saved = answers.findIndex(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === "failed-precondition")).toHaveLength(9);
    const expected = { version: version + 1, profile: { firstName: `N${saved}`, city: `City ${saved}` } };
    expect(await mine(who)).toMatchObject(expected);
  });
});

test("views of one's own profile are not in the audit log", async () => {
  const who = await person(w, "student", "active");
  for (let at = 0; at < 5; at++) await mine(who);
  expect(await auditOf(who.id)).toEqual([]);
});

test("the audit log has each save with the fields that changed, but not their values", async () => {
  const who = await person(w, "student", "active");
  await mine(who);
  await save(who, 0);
  await save(who, 1, { passportNumber: "Z9" });
  await save(who, 1, { passportNumber: "Z8" });
  const entries = await auditOf(who.id);
  expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
    ["profile-saved", who.id],
    ["profile-saved", who.id],
  ]);
  expect(entries[1]).toMatchObject({ address: "203.0.113.7", detail: { fields: "passportNumber" } });
  const text = JSON.stringify(entries);
  for (const field of identityFields)
    if (fullProfile[field].length > 4) expect(text).not.toContain(fullProfile[field]);
});

test("the holder's open pages are notified that account and dashboard changed", async () => {
  const who = await person(w, "student", "active");
  const stream = await openStream(who.caller, "account,dashboard");
  await save(who, 0);
  const events = new Set([await stream.next(), await stream.next()]);
  expect(events).toEqual(new Set(["account", "dashboard"]));
  await stream.leave();
});

test("admins' lists are notified when an agent's name changes", async () => {
  const [boss, agent] = [await person(w, "admin", "active"), await person(w, "agent", "approved")];
  const stream = await openStream(boss.caller, "agents");
  await save(agent, 0, { firstName: "Kofi" });
  expect(await stream.next()).toBe("agents");
  await stream.leave();
});

test("only its holder can read a profile: passing another's id has no effect", async () => {
  const who = await person(w, "student", "active");
  await save(who, 0);
  const secrets = identityFields.map((field) => fullProfile[field]).filter((text) => text.length > 4);
  for (const [role, status] of [
    ["student", "active"],
    ["agent", "approved"],
    ["agent", "pending"],
    ["admin", "active"],
  ] as const) {
    const other = await person(w, role, status);
    for (const id of [who.id, who.email]) {
      const answer = await other.caller.call("profile.mine", { id, userId: id, studentId: id });
      for (const secret of secrets) expect(JSON.stringify(answer.body)).not.toContain(secret);
    }
  }
  expect((await new Caller(w.app).call("profile.mine")).code).toBe("unauthenticated");
});

test("a revoked agent can't save anything, even while the session is still cached", async () => {
  const agent = await person(w, "agent", "approved");
  await agent.caller.call("account.me");
  // The database changes directly here, as if the event had not arrived yet.
  await w.services.database.db.update(user).set({ status: "revoked" }).where(eq(user.id, agent.id));
  expect(await save(agent, 0)).toMatchObject({ status: 403, code: "permission-denied" });
  const rows = await w.services.database.db.select().from(profile).where(eq(profile.userId, agent.id));
  expect(rows).toEqual([]);
});
