import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StudentView } from "#contract/students.ts";
import { assign, submit } from "#tests/support/applications.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
let kofi: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
  kofi = await person(w, "agent", "approved");
  const students = await Promise.all([1, 2, 3].map(() => person(w, "student", "active")));
  for (const [at, student] of students.entries()) {
    if (at > 0) await assign(w, student, kofi);
    await submit(student, { country: at === 2 ? ["AE"] : ["CA", "GB"] });
    if (at === 1) await submit(student, { program: "Law", startDate: "Summer Intake (May or June)" });
  }
  await keepWaiting(students);
});
afterAll(() => w.stop());

/** Makes one of Kofi's students overdue, and another one and a student without an agent wait for an answer. */
async function keepWaiting([first, second, third]: readonly Person[]) {
  const send = (student: Person | undefined) =>
    student?.caller.api.conversations.send({ studentId: student.id, key: randomUUID(), text: "Hello?" });
  await send(first);
  await send(second);
  await kofi.caller.api.planner.addTask({
    studentId: third?.id ?? "",
    title: "Pay the deposit",
    text: "",
    owner: "student",
    due: { date: "2030-01-01", time: null, zone: "UTC", whose: "institution", hard: false },
  });
  const { db } = w.services.database;
  await db.execute(sql`update task set due_at = now() - interval '1 minute' where student_id = ${third?.id}`);
}

test("each figure is the number of students that its filter lists, for an admin and for an agent", async () => {
  for (const [who, filter, all] of [
    [boss, "all", 3],
    [kofi, "mine", 2],
  ] as const) {
    const { api } = who.caller;
    const { byState, byWaiting, byIntake, byDestination, byAgent } = await api.students.figures();
    expect(byState).toEqual([{ value: "submitted", students: all }]);
    expect(byAgent).toEqual(who === boss ? [{ agent: { id: kofi.id, name: "Ada Obi" }, students: 2 }] : []);
    expect(byWaiting).toEqual([
      { value: "overdue", students: 1 },
      { value: "messages", students: who === boss ? 2 : 1 },
    ]);
    expect(byIntake).toHaveLength(2);
    expect(byDestination).toHaveLength(3);
    type Facet = { view: object; students: number };
    const figures: Facet[] = [
      ...byState.map(({ value, students }) => ({ view: { situation: value }, students })),
      ...byWaiting.map(({ value, students }) => ({ view: { waiting: value }, students })),
      ...byIntake.map(({ value, students }) => ({ view: { intake: value }, students })),
      ...byDestination.map(({ value, students }) => ({ view: { destination: value }, students })),
      ...byAgent.map(({ agent, students }) => ({ view: { agentId: agent.id }, students })),
    ];
    for (const { view, students } of figures) {
      const { body } = await who.caller.call("students.list", { filter, ...view });
      expect([view, (body as { total: number }).total]).toEqual([view, students]);
    }
  }
});

test("filters about applications must match the same application", async () => {
  const total = async (view: Partial<StudentView>) => (await boss.caller.api.students.list(view)).total;
  expect(await total({ intake: "Summer Intake (May or June)", destination: "CA" })).toBe(1);
  expect(await total({ intake: "Summer Intake (May or June)", destination: "AE" })).toBe(0);
  expect(await total({ documents: "missing", agentId: kofi.id })).toBe(2);
  expect(await total({ documents: "approved" })).toBe(0);
});

test("a filter by waiting only finds the viewer's own students, and a shared view is counted for each viewer", async () => {
  const esi = await person(w, "agent", "approved");
  const total = async ({ caller }: Person, view: Partial<StudentView>) =>
    (await caller.api.students.list(view)).total;
  for (const waiting of ["overdue", "messages", "quiet"] as const)
    expect(await total(esi, { waiting })).toBe(0);
  expect(await total(boss, { waiting: "quiet" })).toBe(1);
  expect(await total(kofi, { waiting: "quiet" })).toBe(1);
  await w.services.database.db.execute(sql`update thread set last_at = now() - interval '8 days'`);
  expect(await total(boss, { waiting: "quiet" })).toBe(3);
  expect(await total(kofi, { waiting: "quiet", intake: "Summer Intake (May or June)" })).toBe(1);

  const view = await boss.caller.api.savedViews.save({
    name: "Nobody wrote",
    view: { waiting: "quiet" },
    columns: [],
    shared: true,
  });
  const countFor = async ({ caller }: Person) =>
    (await caller.api.savedViews.count({ id: view.id })).students;
  expect([await countFor(boss), await countFor(kofi), await countFor(esi)]).toEqual([3, 2, 0]);
});
