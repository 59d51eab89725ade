import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountDetails } from "#contract/accounts.ts";
import { audit } from "#server/features/audit/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { authenticatorOf } from "#tests/support/authenticator.ts";
import { fullProfile, goodPassword, type Person, person, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { writtenMails } from "#tests/support/written-mails.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const reset = ({ id: userId }: Person, reason = "Lost the phone on a train") =>
  boss.caller.call("accounts.resetSecondFactor", { userId, reason });
const detailsOf = async ({ id: userId }: Person) =>
  (await boss.caller.call("accounts.details", { userId })).body as AccountDetails;
const edit = (who: Person, changes: Partial<AccountDetails>) =>
  boss.caller.call("accounts.editDetails", { userId: who.id, version: 0, ...changes });
/** Returns the text of a mail, once it is written. */
async function textOf({ email }: Person, subject: RegExp): Promise<string> {
  await w.mail(email, subject);
  const mails = await writtenMails(w.environment.dataDir);
  return mails.find((mail) => mail.includes(`To: ${email}`) && subject.test(mail)) ?? "";
}
const lastEntry = async ({ id }: Person) => {
  const { db } = w.services.database;
  const entries = await db.select().from(audit).where(eq(audit.subjectId, id)).orderBy(audit.id);
  return entries.at(-1);
};

test("an admin resets a lost second factor: the holder is logged out, emailed the reason, and logs in again", async () => {
  const ada = await person(w, "student", "active");
  expect(await reset(ada)).toMatchObject({
    code: "failed-precondition",
    message: "This account has no two-step login.",
  });
  await authenticatorOf(ada);
  expect((await reset(ada, " ")).code).toBe("form/incomplete");
  expect((await reset(ada)).status).toBe(200);
  expect((await ada.caller.call("notifications.list")).code).toBe("unauthenticated");
  expect(await textOf(ada, /two-step login was reset/)).toContain("Reason: Lost the phone on a train");
  expect(await lastEntry(ada)).toMatchObject({
    action: "second-factor-removed",
    actorId: boss.id,
    detail: { reason: "Lost the phone on a train" },
  });
  const credentials = { email: ada.email, password: goodPassword };
  expect((await ada.caller.call("account.signIn", credentials)).status).toBe(200);
});

test("a second factor is not reset for another admin, nor by an admin whose login is old", async () => {
  const [other, ada] = [await person(w, "admin", "active"), await person(w, "student", "active")];
  await Promise.all([authenticatorOf(other), authenticatorOf(ada)]);
  expect((await reset(other)).code).toBe("failed-precondition");
  const late = await person(w, "admin", "active");
  await w.services.database.db
    .update(session)
    .set({ provedAt: sql`now() - interval '1 hour'` })
    .where(eq(session.userId, late.id));
  const input = { userId: ada.id, reason: "A lost phone" };
  expect((await late.caller.call("accounts.resetSecondFactor", input)).code).toBe(
    "auth/requires-recent-login",
  );
  expect((await ada.caller.call("notifications.list")).status).toBe(200);
});

test("an admin edits a name and a phone number, and the holder is emailed which details changed", async () => {
  const ada = await person(w, "student", "active");
  const { version } = await detailsOf(ada);
  const changes = { version, firstName: " Adaeze ", lastName: "Obi", phoneNumber: "+234 80 1234 5678" };
  expect((await edit(ada, changes)).status).toBe(200);
  expect(await storedUser(w, ada.id)).toMatchObject({ name: "Adaeze Obi", phone: "+234 80 1234 5678" });
  const text = await textOf(ada, /details were changed/);
  expect(text).toContain("first name, phone number");
  expect(text).not.toContain("+234");
  expect(await lastEntry(ada)).toMatchObject({
    action: "details-edited",
    actorId: boss.id,
    detail: { fields: "firstName phoneNumber" },
  });
});

test("an admin edits an agent's agency and country, and a student has neither", async () => {
  const [kofi, ada] = [await person(w, "agent", "approved"), await person(w, "student", "active")];
  const read = await detailsOf(kofi);
  expect(read).toMatchObject({ agency: "North Star", country: "" });
  const changes = { ...read, agency: " South Star ", country: "ghana" };
  expect((await edit(kofi, { ...changes, agency: " " })).body).toMatchObject({ data: { field: "agency" } });
  expect((await edit(kofi, { ...changes, country: "ghana.example" })).code).toBe("form/incomplete");
  expect((await edit(kofi, changes)).status).toBe(200);
  expect(await storedUser(w, kofi.id)).toMatchObject({ agency: "South Star", country: "GH" });
  expect(await detailsOf(kofi)).toMatchObject({ agency: "South Star", country: "Ghana" });
  expect(await textOf(kofi, /details were changed/)).toContain("agency name, country");
  expect(await lastEntry(kofi)).toMatchObject({
    action: "details-edited",
    detail: { fields: "agency country" },
  });
  // An API client that sends neither leaves both unchanged.
  const { version, firstName, lastName } = await detailsOf(kofi);
  const renamed = { userId: kofi.id, version, firstName, lastName: `${lastName}a` };
  expect((await boss.caller.call("accounts.editDetails", renamed)).status).toBe(200);
  expect(await storedUser(w, kofi.id)).toMatchObject({ agency: "South Star", country: "GH" });

  const own = await detailsOf(ada);
  expect((await edit(ada, { ...own, firstName: "Bea", agency: "North Star", country: "GH" })).status).toBe(
    200,
  );
  expect(await storedUser(w, ada.id)).toMatchObject({ firstName: "Bea", agency: "", country: "" });
});

test("an edit conflicts with a change that the holder made meanwhile, and vice versa", async () => {
  const ada = await person(w, "student", "active");
  const read = await detailsOf(ada);
  const save = (version: number) => ada.caller.call("profile.save", { version, profile: fullProfile });
  expect((await save(0)).status).toBe(200);
  expect((await edit(ada, { ...read, firstName: "Bea" })).code).toBe("failed-precondition");
  expect((await edit(ada, { ...(await detailsOf(ada)), firstName: "Bea" })).status).toBe(200);
  expect((await save(1)).code).toBe("failed-precondition");
  expect((await storedUser(w, ada.id))?.name).toBe("Bea Obi");
});

test("edits of admins and invalid edits are refused; unchanged details are not recorded", async () => {
  const [other, kofi] = [await person(w, "admin", "active"), await person(w, "agent", "approved")];
  expect((await boss.caller.call("accounts.details", { userId: other.id })).code).toBe("not-found");
  expect((await edit(other, { firstName: "Bea", lastName: "Obi" })).code).toBe("not-found");
  const read = await detailsOf(kofi);
  expect((await edit(kofi, { ...read, lastName: "" })).code).toBe("form/incomplete");
  expect((await edit(kofi, { ...read, phoneNumber: "call me" })).code).toBe("form/incomplete");
  expect((await edit(kofi, read)).status).toBe(200);
  expect(await lastEntry(kofi)).toBeUndefined();
});
