import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StudentView } from "#contract/students.ts";
import { submit } from "#tests/support/applications.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { conditionalOffer } from "#tests/support/offers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const namesOf = async ({ caller }: Person, view: Partial<StudentView>) =>
  (await caller.api.students.list(view)).students.map(({ id }) => id);

async function fileFor({ caller }: Person, { id }: Person): Promise<string> {
  const input = { view: {}, columns: ["deposit" as const], studentIds: [id], identity: false, purpose: "" };
  const { url } = await caller.api.students.exportLink(input);
  return await (await caller.request(url, {})).text();
}

test("students with a deposit that is due soon or overdue are listed for their agent and admins", async () => {
  const { student, agent } = await conditionalOffer(w);
  const [boss, stranger] = [await person(w, "admin", "active"), await person(w, "agent", "approved")];
  const isListed = async (who: Person, deposit: StudentView["deposit"], more: Partial<StudentView> = {}) =>
    (await namesOf(who, { deposit, ...more })).includes(student.id);
  const dueIn = (days: number) =>
    w.services.database.db.execute(
      sql`update offer_deposit set due_at = now() + make_interval(days => ${days})`,
    );
  expect(await isListed(agent, "dueOrOverdue")).toBe(false);
  await dueIn(6);
  expect([await isListed(agent, "dueOrOverdue"), await isListed(agent, "overdue")]).toEqual([true, false]);
  await dueIn(-1);
  for (const who of [agent, boss])
    expect([await isListed(who, "dueOrOverdue"), await isListed(who, "overdue")]).toEqual([true, true]);
  expect(await isListed(stranger, "dueOrOverdue")).toBe(false);

  // The amount is only visible to the student's agent and admins, in the list and in the file.
  const [due] = (
    await w.services.database.db.execute<{ due: string }>(
      sql`select due_date::text as due from offer_deposit`,
    )
  ).rows.map((row) => row.due);
  const deposit = { amount: 400_000, currency: "GBP", due };
  const rowFor = async ({ caller }: Person) =>
    (await caller.api.students.list({ search: student.email })).students.find(({ id }) => id === student.id);
  for (const who of [agent, boss]) expect((await rowFor(who))?.deposit).toEqual(deposit);
  expect((await rowFor(stranger))?.deposit).toBeNull();
  expect(await fileFor(agent, student)).toContain("Deposit due,Deposit amount,Deposit currency");
  expect(await fileFor(agent, student)).toContain(`,${due},4000,GBP,`);
  expect(await fileFor(stranger, student)).not.toContain("GBP");

  // Filters by deposit and intake must match the same application; the filter by waiting is independent.
  await submit(student, { program: "Law", startDate: "Summer Intake (May or June)" });
  expect(await isListed(agent, "overdue", { intake: "Summer Intake (May or June)" })).toBe(false);
  expect(await isListed(agent, "overdue", { intake: "Spring Intake (January)", waiting: "quiet" })).toBe(
    true,
  );
});
