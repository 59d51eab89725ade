import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { invitation } from "#server/features/invitations/tables.ts";
import { eraseByEmail } from "#server/features/privacy/erase-account.ts";
import { textIn } from "#tests/support/caller.ts";
import { tablesWith } from "#tests/support/erasure.ts";
import { freshEmail, type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { carryOutRun } from "./carry-out.ts";

let w: Wayfare;
let kofi: Person;
beforeAll(async () => {
  w = await wayfare();
  kofi = await person(w, "agent", "approved");
});
afterAll(() => w.stop());

const columns = { firstName: "First name", lastName: "Surname", email: "Email", message: "Message" };
async function uploadFile({ caller }: Person, file: string): Promise<string> {
  const query = new URLSearchParams({ act: "invite", ...columns }).toString();
  const response = await caller.request(`/files/student-imports?${query}`, {
    method: "POST",
    headers: {
      "content-type": "application/octet-stream",
      "sec-fetch-site": "same-origin",
      "x-csrf-token": "orpc",
    },
    body: file,
  });
  const body: unknown = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return textIn(body, "id");
}
async function finishRun({ caller: { api } }: Person, id: string) {
  await api.bulkRuns.start({ id });
  return await until(async () => {
    const run = await api.bulkRuns.get({ id });
    return run.finishedAt !== null && run;
  });
}
const invited = ({ id }: Person) =>
  w.services.database.db.select().from(invitation).where(eq(invitation.inviterId, id));

test("a file invites each person once, names the rows it leaves out, and changes nothing the second time", async () => {
  const student = await person(w, "student", "active");
  const [fresh, open] = [freshEmail("fresh"), freshEmail("open")];
  await kofi.caller.api.invitations.send({ firstName: "Efua", lastName: "", email: open, message: "" });
  const file = [
    "Email,First name,Message",
    `${fresh.toUpperCase()},Efua,Hello!`,
    `${student.email},Kwame,`,
    `${fresh},Efua,`,
    "nobody,Ama,",
    `${freshEmail()},,`,
    `${freshEmail()},Ama,"see https://evil.example"`,
    `${open},Efua,`,
  ].join("\r\n");
  const id = await uploadFile(kofi, file);
  const { items } = await kofi.caller.api.bulkRuns.items({ id });
  expect(items.map(({ position, invited: who, reason }) => [position, who?.name, reason])).toEqual([
    [2, "Efua", null],
    [3, "Kwame", null],
    [4, "Efua", "repeated"],
    [5, "Ama", "badEmail"],
    [6, "", "badName"],
    [7, "Ama", "badMessage"],
    [8, "Efua", "invitedAlready"],
  ]);
  expect(await invited(kofi)).toHaveLength(1);
  await kofi.caller.api.bulkRuns.start({ id });
  await Promise.all([carryOutRun(w.services, id), carryOutRun(w.services, id)]);
  expect(await finishRun(kofi, id)).toMatchObject({ act: "invite", done: 2, skipped: 5, failed: 0 });
  const rows = await invited(kofi);
  expect(rows.map(({ email }) => email).toSorted()).toEqual([fresh, open, student.email].toSorted());
  // Nothing shows whether an address has an account, and no account was created.
  const done = await kofi.caller.api.bulkRuns.items({ id, outcome: "done" });
  expect(done.items.map(({ student: who, reason }) => [who, reason])).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(await w.services.database.db.$count(user, eq(user.email, fresh))).toBe(0);

  const again = await kofi.caller.api.bulkRuns.get({ id: await uploadFile(kofi, file) });
  expect(again.waiting).toBe(0);
  expect(await invited(kofi)).toHaveLength(3);
});

test("a file counts towards the daily limit, and a person who declined meanwhile is left out", async () => {
  const esi = await person(w, "agent", "approved");
  const emails = [freshEmail("a"), freshEmail("b"), freshEmail("c")];
  const id = await uploadFile(esi, ["Email,First name", ...emails.map((email) => `${email},Ama`)].join("\n"));
  const [first = ""] = emails;
  await esi.caller.api.invitations.send({ firstName: "Ama", lastName: "", email: first, message: "" });
  await w.services.database.db
    .update(invitation)
    .set({ state: "declined" })
    .where(inArray(invitation.email, [first]));
  for (let invitations = 1; invitations < 99; invitations++) await w.services.limits.invitation(esi.id);
  expect(await finishRun(esi, id)).toMatchObject({ done: 1, failed: 0 });
  const { items } = await esi.caller.api.bulkRuns.items({ id });
  expect(items.map(({ reason }) => reason)).toEqual(["declined", null, "dailyLimit"]);
});

test("a file that several jobs work on concurrently counts each invitation once", async () => {
  const ama = await person(w, "agent", "approved");
  const emails = Array.from({ length: 30 }, () => freshEmail());
  const id = await uploadFile(ama, ["Email,First name", ...emails.map((email) => `${email},Esi`)].join("\n"));
  for (let invitations = 0; invitations < 70; invitations++) await w.services.limits.invitation(ama.id);
  await ama.caller.api.bulkRuns.start({ id });
  await Promise.all([1, 2, 3].map(() => carryOutRun(w.services, id)));
  expect(await finishRun(ama, id)).toMatchObject({ done: 30, skipped: 0, failed: 0 });
});

test("an erased person is in no row of a file that invited them, not even under a former address", async () => {
  const [student, renamed] = [await person(w, "student", "disabled"), await person(w, "student", "disabled")];
  const [moved, other] = [freshEmail("moved"), freshEmail("kept")];
  const lines = [student.email.toUpperCase(), moved, other].map((email) => `${email},Erasemann,`);
  const id = await uploadFile(kofi, ["Email,First name,Message", ...lines].join("\r\n"));
  await finishRun(kofi, id);
  await w.services.database.db
    .update(invitation)
    .set({ state: "claimed", studentId: renamed.id })
    .where(eq(invitation.email, moved));
  for (const { email } of [student, renamed]) expect(await eraseByEmail(w.services, email)).toBe("erased");
  for (const email of [student.email, moved]) expect(await tablesWith(w, email)).toEqual([]);
  const { items } = await kofi.caller.api.bulkRuns.items({ id });
  expect(items.map(({ invited: who }) => who?.email)).toEqual([other]);
});
