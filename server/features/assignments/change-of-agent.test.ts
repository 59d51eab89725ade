import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { notification } from "#server/features/notifications/tables.ts";
import { assign, assignedStudent } from "#tests/support/documents.ts";
import { type Person, person, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const reason = "She never answers my calls.";
const ask = ({ caller }: Person) => caller.call("students.askForChange", { reason });
const agentOf = async ({ id }: Person) => (await storedUser(w, id))?.assignedAgentId;
const requestOf = async (student: Person) => {
  const { requests } = await boss.caller.api.agents.changeRequests({});
  return requests.find((each) => each.student.id === student.id);
};
const notificationsOf = async ({ id }: Person) =>
  await w.services.database.db
    .select({ kind: notification.kind, about: notification.about })
    .from(notification)
    .where(eq(notification.userId, id))
    .orderBy(notification.id);

async function requestChange() {
  const { student, agent } = await assignedStudent(w);
  expect((await ask(student)).status).toBe(200);
  const request = await requestOf(student);
  if (!request) throw new Error("the request isn't listed");
  const decide = (outcome: string, more: object = {}, by = boss) =>
    by.caller.call("agents.decideChange", { requestId: request.id, outcome, ...more });
  return { student, agent, request, decide };
}

test("a request is listed for admins with its reason, and the agent learns nothing of it", async () => {
  const { student, agent, request } = await requestChange();
  expect(request).toMatchObject({ reason, agent: { id: agent.id } });
  expect((await ask(student)).code).toBe("already-exists");
  expect(await notificationsOf(agent)).toEqual([]);
  expect(JSON.stringify(await notificationsOf(boss))).not.toContain(reason);
  const details = await agent.caller.call("students.details", { studentId: student.id });
  expect(JSON.stringify(details.body)).not.toContain(reason);
  expect((await agent.caller.call("agents.changeRequests")).code).toBe("permission-denied");
  const { change } = await student.caller.api.students.dashboard({});
  expect(change?.dueAt).toEqual(request.dueAt);
});

test("another agent takes over; one of two concurrent decisions by admins succeeds", async () => {
  const { student, agent, decide } = await requestChange();
  const [one, two] = [await person(w, "agent", "approved"), await person(w, "agent", "approved")];
  const second = await person(w, "admin", "active");
  const answers = await Promise.all([
    decide("another", { agentId: one.id }),
    decide("another", { agentId: two.id }, second),
  ]);
  expect(answers.map(({ code }) => String(code)).toSorted()).toEqual(["failed-precondition", "null"]);
  const successor = answers[0]?.code === null ? one : two;
  expect(await agentOf(student)).toBe(successor.id);
  expect((await notificationsOf(student)).map(({ kind }) => kind)).toEqual(["agentAssigned"]);
  expect((await notificationsOf(agent)).map(({ kind }) => kind)).toEqual(["studentReassigned"]);
  expect(await requestOf(student)).toBeUndefined();
});

test("a decision that the agent stays needs a reason, which the student sees", async () => {
  const { student, agent, decide } = await requestChange();
  expect((await decide("stays")).code).toBe("form/incomplete");
  expect((await decide("stays", { reason: "She was ill." })).status).toBe(200);
  expect(await agentOf(student)).toBe(agent.id);
  expect(await notificationsOf(student)).toEqual([
    { kind: "agentChangeDecided", about: { outcome: "stays", agent: "Ada Obi", reason: "She was ill." } },
  ]);
  expect(await notificationsOf(agent)).toEqual([]);
  expect((await ask(student)).status).toBe(200);
});

test("a student can be left without an agent, and is notified once", async () => {
  const { student, decide } = await requestChange();
  expect((await decide("none")).status).toBe(200);
  expect(await agentOf(student)).toBeNull();
  expect((await notificationsOf(student)).map(({ kind }) => kind)).toEqual(["agentChangeDecided"]);
});

test("a request ends when the student withdraws it or gets another agent in another way", async () => {
  const { student, decide } = await requestChange();
  expect((await student.caller.call("students.withdrawChange")).status).toBe(200);
  expect((await decide("none")).code).toBe("failed-precondition");
  const other = await requestChange();
  const agent = await person(w, "agent", "approved");
  const change = { agentId: agent.id, expectedAgentId: other.agent.id };
  expect((await boss.caller.call("students.assign", { studentId: other.student.id, ...change })).status).toBe(
    200,
  );
  expect(await requestOf(other.student)).toBeUndefined();
  const third = await requestChange();
  await boss.caller.call("students.handOver", { fromAgentId: third.agent.id, toAgentId: null });
  expect(await requestOf(third.student)).toBeUndefined();
});

test("a student without an agent can't ask for another one", async () => {
  const student = await person(w, "student", "active");
  await assign(w, student.id, null);
  expect((await ask(student)).code).toBe("failed-precondition");
});
