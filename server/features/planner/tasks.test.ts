import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DueThing, Task } from "#contract/planned-work.ts";
import { type ListedApplication, submit } from "#tests/support/applications.ts";
import { assignedStudent } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { sendReminders } from "./reminders.ts";
import { reminderPlan, task } from "./tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const tasksOf = async ({ caller }: Person, studentId: string) =>
  ((await caller.call("planner.ofStudent", { studentId })).body as { tasks: Task[] }).tasks;

test("a task is done by its student, checked by the agent, and reopened with a note", async () => {
  const { student, agent } = await assignedStudent(w);
  const input = { studentId: student.id, title: "Book the test", text: "At any centre.", owner: "student" };
  const { body } = await agent.caller.call("planner.addTask", input);
  const { id: taskId } = body as { id: string };
  const move = ({ caller }: Person, version: number, to: string, note = "") =>
    caller.call("planner.moveTask", { taskId, version, to, note });
  expect((await move(student, 1, "checked")).code).toBe("failed-precondition");
  expect((await move(student, 1, "done")).body).toEqual({ done: true });
  expect((await move(agent, 1, "checked")).code).toBe("failed-precondition");
  expect((await move(agent, 2, "open")).code).toBe("form/incomplete");
  expect((await move(agent, 2, "open", "Which centre?")).body).toEqual({ done: true });
  expect((await move(student, 3, "done")).body).toEqual({ done: true });
  expect((await move(agent, 4, "checked")).body).toEqual({ done: true });
  expect(await tasksOf(student, student.id)).toMatchObject([{ state: "checked", note: "", version: 5 }]);
});

test("a student sees no tasks of others, and only admins have tasks of their own", async () => {
  const { student, agent } = await assignedStudent(w);
  const task = { studentId: student.id, title: "Call the university", text: "", owner: "agent" };
  const { body } = await agent.caller.call("planner.addTask", task);
  expect(await tasksOf(student, student.id)).toEqual([]);
  expect(await tasksOf(agent, student.id)).toHaveLength(1);
  const taskId = (body as { id: string }).id;
  const answer = await student.caller.call("planner.moveTask", { taskId, version: 1, to: "done", note: "" });
  expect(answer.code).toBe("not-found");
  const own = { ...task, owner: "admin" };
  expect((await agent.caller.call("planner.addTask", own)).code).toBe("form/incomplete");
  expect((await boss.caller.call("planner.addTask", own)).status).toBe(200);
});

test("a template shared by several applications adds one task, which stays when the template is removed", async () => {
  const { student, agent } = await assignedStudent(w);
  const template = { text: "", owner: "student", studyLevel: "Postgraduate", country: null, dueDays: 30 };
  const add = async (changes: object) =>
    ((await boss.caller.call("planner.addTemplate", { ...template, ...changes })).body as { id: string }).id;
  const templateId = await add({ title: "Book the test" });
  await add({ title: "For Dubai", country: "AE" });
  await submit(student, { program: "MSc Nursing" });
  await submit(student, { program: "MSc Physics" });
  const titles = async () => (await tasksOf(agent, student.id)).map(({ title }) => title);
  expect(await titles()).toEqual(["Book the test"]);
  expect((await tasksOf(agent, student.id))[0]?.due).toMatchObject({ time: null, whose: "applicant" });
  await boss.caller.call("planner.removeTemplate", { templateId });
  expect(await titles()).toEqual(["Book the test"]);
});

test("a template's task moves to another application with this template when its own ends", async () => {
  const { student } = await assignedStudent(w);
  const title = `Book the test ${student.id}`;
  const template = {
    title,
    text: "",
    owner: "student",
    studyLevel: "Postgraduate",
    country: "GB",
    dueDays: 30,
  };
  const { body } = await boss.caller.call("planner.addTemplate", template);
  const submitted = async (program: string, country: string) =>
    ((await submit(student, { program, country: [country] })).body as ListedApplication).id;
  const withdraw = (applicationId: string) =>
    student.caller.call("applications.move", { applicationId, version: 1, to: "withdrawn", note: "" });
  const applicationOf = async () => {
    const { things } = (await student.caller.call("planner.mine")).body as { things: DueThing[] };
    return things.filter((thing) => thing.title === title).map(({ applicationId }) => applicationId);
  };
  const [first, elsewhere, second] = [
    await submitted("MSc Nursing", "GB"),
    await submitted("MSc Physics", "IE"),
    await submitted("MSc Biology", "GB"),
  ];
  expect(elsewhere).toBeTruthy();
  expect(await applicationOf()).toEqual([first]);
  await withdraw(first);
  expect(await applicationOf()).toEqual([second]);
  await withdraw(second);
  await sendReminders(w.services);
  expect(await applicationOf()).toEqual([]);
  const third = await submitted("MSc Chemistry", "GB");
  expect(await applicationOf()).toEqual([third]);
  const { db } = w.services.database;
  const [row] = await db.select().from(task).where(eq(task.applicationId, third));
  const plans = await db
    .select()
    .from(reminderPlan)
    .where(eq(reminderPlan.thing, `task:${row?.id}`));
  expect(plans).toHaveLength(1);
  await boss.caller.call("planner.removeTemplate", { templateId: (body as { id: string }).id });
});

test("an applicant's deadline moves with the student's time zone, and an institution's does not", async () => {
  const { student, agent } = await assignedStudent(w);
  const due = { date: "2031-08-12", time: "17:00", zone: "Europe/London", hard: false };
  for (const whose of ["applicant", "institution"])
    await agent.caller.call("planner.addTask", {
      studentId: student.id,
      title: whose,
      text: "",
      owner: "student",
      due: { ...due, whose },
    });
  const moments = async () =>
    Object.fromEntries(
      (await tasksOf(agent, student.id)).map(({ title, due }) => [title, due?.at && String(due.at)]),
    );
  const before = await moments();
  expect(before["applicant"]).toContain("2031-08-12T17:00:00");
  const setZone = (timeZone: string, onlyFirst: boolean) =>
    student.caller.call("planner.setTimeZone", { timeZone, onlyFirst });
  await setZone("Asia/Kolkata", true);
  const after = await moments();
  expect(after["applicant"]).toContain("2031-08-12T11:30:00");
  expect(after["institution"]).toBe(before["institution"]);
  await setZone("Asia/Tokyo", true);
  expect(await moments()).toEqual(after);
  expect((await setZone("Mars/Olympus", false)).code).toBe("form/incomplete");
});
