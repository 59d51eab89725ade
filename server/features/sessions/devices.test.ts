import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { audit } from "#server/features/audit/tables.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, type Person, person, signIn, signUpForm } from "#tests/support/factories.ts";
import { openStream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { idleLifetime } from "./open-sessions.ts";
import { session } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const devicesOf = async (caller: Caller) => (await caller.api.account.devices()).devices;
const isSignedIn = async (caller: Caller) => (await caller.call("account.devices")).status === 200;

/** Signs a person in on another device. */
async function elsewhere({ id }: Pick<Person, "id">): Promise<Caller> {
  const caller = new Caller(w.app);
  await signIn(w, caller, id);
  return caller;
}
const signOutsOf = async ({ id }: Person) => {
  const rows = await w.services.database.db.select().from(audit).where(eq(audit.actorId, id));
  return rows.filter(({ action }) => action === "sign-out").map(({ detail }) => detail);
};

test("lists an account's devices with browser and address, and marks the current one", async () => {
  const form = signUpForm();
  const phone = new Caller(w.app);
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0" };
  await phone.call("account.signUp", form);
  const laptop = new Caller(w.app);
  await laptop.call("account.signIn", { email: form.email, password: goodPassword, code: "" }, { headers });
  const devices = await devicesOf(laptop);
  expect(devices).toHaveLength(2);
  expect(devices.find(({ current }) => current)).toMatchObject({
    browser: "Firefox on Linux",
    address: "203.0.113.7",
  });
  expect(devices.find(({ current }) => !current)).toMatchObject({ browser: null, address: "203.0.113.7" });
  expect(JSON.stringify(devices)).not.toContain("Gecko");
});

test("a login in the same browser replaces the previous one", async () => {
  const form = signUpForm();
  const phone = new Caller(w.app);
  await phone.call("account.signUp", form);
  await phone.call("account.signIn", { email: form.email, password: goodPassword, code: "" });
  expect(await devicesOf(phone)).toHaveLength(1);
});

test("sessions that have expired or were unused for too long are not listed", async () => {
  const ada = await person(w, "student", "active");
  const [late, idle] = [await elsewhere(ada), await elsewhere(ada)];
  const others = (await devicesOf(ada.caller)).filter(({ current }) => !current);
  const { db } = w.services.database;
  const past = (seconds: number) => new Date(Date.now() - seconds * 1000);
  await db
    .update(session)
    .set({ expiresAt: past(1) })
    .where(eq(session.id, others[0]?.id ?? ""));
  await db
    .update(session)
    .set({ updatedAt: past(idleLifetime + 60) })
    .where(eq(session.id, others[1]?.id ?? ""));
  w.services.sessions.evict({ userId: ada.id, ended: false });
  expect(await devicesOf(ada.caller)).toHaveLength(1);
  expect([await isSignedIn(late), await isSignedIn(idle)]).toEqual([false, false]);
});

test("one device is logged out immediately with its streams, and no other", async () => {
  const ada = await person(w, "student", "active");
  const [phone, tablet] = [await elsewhere(ada), await elsewhere(ada)];
  const stream = await openStream(phone);
  const onPhone = (await devicesOf(phone)).find(({ current }) => current)?.id;
  expect((await ada.caller.call("account.signOutDevice", { id: onPhone })).status).toBe(200);
  expect(await stream.next()).toBe("signed-out");
  expect(await isSignedIn(phone)).toBe(false);
  expect(await isSignedIn(tablet)).toBe(true);
  expect((await ada.caller.call("account.signOutDevice", { id: onPhone })).status).toBe(200);
  expect(await signOutsOf(ada)).toEqual([{ elsewhere: "1" }]);
});

test("another account's device can't be logged out", async () => {
  const [ada, mallory] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const [device] = await devicesOf(ada.caller);
  expect((await mallory.caller.call("account.signOutDevice", { id: device?.id })).status).toBe(200);
  expect(await isSignedIn(ada.caller)).toBe(true);
  expect(await signOutsOf(mallory)).toEqual([]);
});

test("all other devices are logged out, and the current one is not", async () => {
  const [ada, kofi] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const others = [await elsewhere(ada), await elsewhere(ada)];
  expect((await ada.caller.call("account.signOutOthers")).status).toBe(200);
  expect(await devicesOf(ada.caller)).toHaveLength(1);
  for (const other of others) expect(await isSignedIn(other)).toBe(false);
  expect(await isSignedIn(kofi.caller)).toBe(true);
  await ada.caller.call("account.signOutOthers");
  expect(await signOutsOf(ada)).toEqual([{ elsewhere: "2" }]);
});
