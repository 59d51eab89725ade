import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { submit } from "#tests/support/applications.ts";
import { assign, assignedStudent, uploadHeaders } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { notificationMail } from "../notifications/mails.ts";
import { notification } from "../notifications/tables.ts";

let w: Wayfare;
let student: Person;
let agent: Person;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());
beforeEach(async () => {
  ({ student, agent } = await assignedStudent(w));
});

/** Returns a person's pending mails. */
async function mailsTo({ id }: Person) {
  const entries = await w.services.database.db
    .selectDistinct({ mailId: notification.mailId })
    .from(notification)
    .where(eq(notification.userId, id));
  const mails = await Promise.all(
    entries.map(({ mailId }) => notificationMail.write(w.services, { mailId: mailId ?? "" })),
  );
  return mails.filter((mail) => mail !== null);
}
const subjectsTo = async (recipient: Person) => (await mailsTo(recipient)).map(({ subject }) => subject);

async function ask(applicationId: string | null = null): Promise<string> {
  const requests = [{ kind: "other" as const, name: "Bank statement" }];
  const asking = { studentId: student.id, applicationId, requests };
  return (await agent.caller.api.planner.askFor(asking)).ids[0] ?? "";
}
const supply = (requestId: string) =>
  student.caller.request(`/files/requests/${requestId}`, {
    method: "POST",
    headers: uploadHeaders("statement.pdf"),
    body: new Uint8Array(pdf()),
  });
const decide = (requestId: string, version: number, decision: "accepted" | "sentBack" | "cancelled") =>
  agent.caller.api.planner.decideRequest({ requestId, version, decision, note: "Too dark." });
const addTask = async (owner: "student" | "agent", by: Person) =>
  (await by.caller.api.planner.addTask({ studentId: student.id, title: "Book the test", text: "", owner }))
    .id;
const moveTask = (by: Person, taskId: string, version: number, to: "done" | "checked" | "cancelled") =>
  by.caller.api.planner.moveTask({ taskId, version, to, note: "" });

test("a request that was cancelled, or whose application has ended, is not mailed", async () => {
  const cancelled = await ask();
  expect(await subjectsTo(student)).toEqual(["Please send: Bank statement"]);
  await decide(cancelled, 1, "cancelled");
  expect(await subjectsTo(student)).toEqual([]);
  const { id: applicationId } = (await submit(student)).body as { id: string };
  await ask(applicationId);
  expect(await subjectsTo(student)).toEqual(["Please send: Bank statement"]);
  await student.caller.api.applications.move({ applicationId, version: 1, to: "withdrawn", note: "" });
  expect(await subjectsTo(student)).toEqual([]);
});

test("a mail about a file that was sent back is dropped once the file was sent again", async () => {
  const id = await ask();
  await supply(id);
  await decide(id, 2, "sentBack");
  expect(await subjectsTo(student)).toEqual(["Bank statement: please send it again"]);
  await supply(id);
  expect(await subjectsTo(student)).toEqual([]);
});

test("an agent is not mailed about a paper that they have already accepted", async () => {
  const id = await ask();
  await supply(id);
  expect(await subjectsTo(agent)).toEqual(["Ada Obi sent: Bank statement"]);
  await decide(id, 2, "accepted");
  expect(await subjectsTo(agent)).toEqual([]);
});

test("a task that is done is not mailed as new, nor a checked one as done", async () => {
  const id = await addTask("student", agent);
  expect(await subjectsTo(student)).toEqual(["New task: Book the test"]);
  await moveTask(student, id, 1, "done");
  expect(await subjectsTo(student)).toEqual([]);
  expect(await subjectsTo(agent)).toEqual(["Ada Obi finished: Book the test"]);
  await moveTask(agent, id, 2, "checked");
  expect(await subjectsTo(agent)).toEqual([]);
});

test("a former agent is not mailed about the student's papers and tasks", async () => {
  const boss = await person(w, "admin", "active");
  await supply(await ask());
  await moveTask(student, await addTask("student", agent), 1, "done");
  await addTask("agent", boss);
  const titles = async () => (await subjectsTo(agent)).toSorted((a, b) => a.localeCompare(b));
  expect(await titles()).toEqual(["2 things to look at", "New task: Book the test (Ada Obi)"]);
  await assign(w, student.id, (await person(w, "agent", "approved")).id);
  expect(await titles()).toEqual([]);
});

test("admins are mailed about what a student without an agent sends and finishes, until an agent is assigned", async () => {
  const boss = await person(w, "admin", "active");
  const id = await ask();
  const taskId = await addTask("student", agent);
  await assign(w, student.id, null);
  await supply(id);
  await moveTask(student, taskId, 1, "done");
  expect(await subjectsTo(boss)).toEqual(["2 things to look at"]);
  expect(await subjectsTo(agent)).toEqual([]);
  await assign(w, student.id, agent.id);
  expect(await subjectsTo(boss)).toEqual([]);
});

test("admins are mailed about papers that a student does not share with the agent, and the agent about tasks", async () => {
  const boss = await person(w, "admin", "active");
  const id = await ask();
  const taskId = await addTask("student", agent);
  await student.caller.api.students.setSharing({ shares: false });
  await supply(id);
  await moveTask(student, taskId, 1, "done");
  expect(await subjectsTo(boss)).toEqual(["Ada Obi sent: Bank statement"]);
  expect(await subjectsTo(agent)).toContain("Ada Obi finished: Book the test");
});

test("the subject of a mail about several finished tasks says how many", async () => {
  for (const id of [await addTask("student", agent), await addTask("student", agent)])
    await moveTask(student, id, 1, "done");
  expect(await subjectsTo(agent)).toEqual(["2 tasks are finished"]);
});

test("a mail about an agent's tasks for two students links to the agent's students", async () => {
  const boss = await person(w, "admin", "active");
  await addTask("agent", boss);
  const other = await person(w, "student", "active");
  await assign(w, other.id, agent.id);
  await boss.caller.api.planner.addTask({
    studentId: other.id,
    title: "Call home",
    text: "",
    owner: "agent",
  });
  expect(await mailsTo(agent)).toMatchObject([
    {
      subject: "2 things for you to do",
      link: `${w.environment.baseUrl}/manage-students?filter=mine`,
    },
  ]);
});
