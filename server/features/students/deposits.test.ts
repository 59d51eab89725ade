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

const listed = async ({ caller }: Person, view: Partial<StudentView>) =>
  (await caller.api.students.list(view)).students.map(({ id }) => id);

test("students with a deposit that is due soon or overdue are listed for those who answer for them", async () => {
  const { student, agent } = await conditionalOffer(w);
  const [boss, stranger] = [await person(w, "admin", "active"), await person(w, "agent", "approved")];
  const isListed = async (who: Person, deposit: StudentView["deposit"], more: Partial<StudentView> = {}) =>
    (await listed(who, { deposit, ...more })).includes(student.id);
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

  // The deposit and the intake are those of one application, and what waits is asked beside them.
  await submit(student, { program: "Law", startDate: "Summer Intake (May or June)" });
  expect(await isListed(agent, "overdue", { intake: "Summer Intake (May or June)" })).toBe(false);
  expect(await isListed(agent, "overdue", { intake: "Spring Intake (January)", waiting: "quiet" })).toBe(
    true,
  );
});
