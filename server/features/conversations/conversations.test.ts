import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageLimits } from "#domain/conversation.ts";
import { submit } from "#tests/support/applications.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import {
  countsOf,
  messagesOf,
  read,
  send,
  threadOf,
  threadsOf,
  trySend,
  uploadForMessage,
} from "#tests/support/conversations.ts";
import { assign, assignedStudent } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { notification } from "../notifications/tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const notificationsOf = async ({ id }: Person) =>
  await w.services.database.db
    .select({ kind: notification.kind, about: notification.about, readAt: notification.readAt })
    .from(notification)
    .where(eq(notification.userId, id))
    .orderBy(notification.id);
const unreadNotifications = async (reader: Person) =>
  (await notificationsOf(reader)).filter(({ kind, readAt }) => kind === "messageReceived" && readAt === null);

test("a question about an application waits for its agent, and the answer for the student", async () => {
  const { student, agent } = await assignedStudent(w);
  const applicationId = textIn((await submit(student)).body, "id");
  const question = await send(student, student.id, { applicationId, text: " Must it be certified? " });
  await send(student, student.id, { applicationId, text: "And translated?" });
  expect(await send(student, student.id)).toMatchObject({ number: 1 });
  const [first, second] = await threadsOf(agent, { filter: "waiting" });
  expect(first).toMatchObject({
    id: question.threadId,
    application: { id: applicationId, program: "MSc Data Science" },
    waiting: "staff",
    unread: 2,
    last: { preview: "And translated?", mine: false },
  });
  expect(second?.application).toBeNull();
  expect(await countsOf(agent)).toEqual({ unread: 2, waiting: 2 });
  expect((await unreadNotifications(agent)).map(({ about }) => about["number"])).toEqual(["2", "1"]);

  await read(agent, question.threadId, 2);
  expect(await countsOf(agent)).toEqual({ unread: 1, waiting: 2 });
  expect(await unreadNotifications(agent)).toHaveLength(1);
  await send(agent, student.id, { applicationId, text: "Yes, both." });
  expect(await countsOf(agent)).toEqual({ unread: 1, waiting: 1 });
  expect(await countsOf(student)).toEqual({ unread: 1, waiting: 1 });
  expect(await messagesOf(student, question.threadId)).toMatchObject([
    { number: 1, text: "Must it be certified?", mine: true, side: "student", takeBackUntil: null },
    { number: 2, text: "And translated?" },
    { number: 3, text: "Yes, both.", by: { role: "agent", name: "Ada Obi" }, mine: false },
  ]);
  // The worklist shows the longest wait first, and reading alone doesn't end a wait.
  expect((await threadsOf(agent, { filter: "waiting" })).map(({ id }) => id)).toEqual([second?.id]);
});

test("marking a thread as needing no answer ends the wait, unless there is a newer message", async () => {
  const { student, agent } = await assignedStudent(w);
  const { threadId } = await send(student, student.id, { text: "Thank you!" });
  await send(student, student.id, { text: "One more thing" });
  const settle = (by: Person, lastNumber: number) =>
    by.caller.call("conversations.needsNoAnswer", { threadId, lastNumber });
  expect((await settle(agent, 1)).code).toBe("failed-precondition");
  await settle(student, 2);
  expect((await threadOf(agent, threadId)).thread?.waiting).toBe("staff");
  expect((await settle(agent, 2)).code).toBeNull();
  expect((await threadOf(agent, threadId)).thread).toMatchObject({ waiting: null, waitingSince: null });
});

describe("access to a conversation", () => {
  let student: Person;
  let agent: Person;
  let threadId: string;
  let fileId: string;
  beforeAll(async () => {
    ({ student, agent } = await assignedStudent(w));
    const former = await person(w, "agent", "approved");
    await assign(w, student.id, former.id);
    fileId = (await uploadForMessage(student, student.id)).id;
    ({ threadId } = await send(student, student.id, { files: [fileId] }));
    await read(former, threadId, 1);
    await assign(w, student.id, agent.id);
    people = {
      student: student.caller,
      agent: agent.caller,
      admin: boss.caller,
      former: former.caller,
      otherAgent: (await person(w, "agent", "approved")).caller,
      otherStudent: (await person(w, "student", "active")).caller,
      pending: (await person(w, "agent", "pending")).caller,
      visitor: new Caller(w.app),
    };
  });
  let people: Record<string, Caller>;

  test.each([
    ["student", null],
    ["agent", null],
    ["admin", null],
    ["former", "permission-denied"],
    ["otherAgent", "permission-denied"],
    ["otherStudent", "not-found"],
    ["pending", "not-found"],
    ["visitor", "unauthenticated"],
  ])("%s", async (who, refusal) => {
    const caller = people[who] ?? new Caller(w.app);
    const studentId = student.id;
    const calls: [string, object][] = [
      ["open", { studentId, applicationId: null }],
      ["thread", { threadId }],
      ["messages", { threadId }],
      ["send", { studentId, key: randomUUID(), text: "Hello" }],
      ["read", { threadId, upTo: 1 }],
      ["markUnread", { threadId, from: 1 }],
    ];
    for (const [name, input] of calls)
      expect([name, (await caller.call(`conversations.${name}`, input)).code]).toEqual([name, refusal]);
    // The answer doesn't reveal whether a file exists.
    const link = await caller.call("conversations.fileLink", { fileId, mode: "view" });
    const needsReason = who === "admin" ? "look/reason-required" : refusal;
    expect(link.code).toBe(refusal === "permission-denied" ? "not-found" : needsReason);
    const upload = await uploadForMessage({ caller }, studentId);
    if (refusal === null) expect(upload.id).not.toBe("");
    else expect(upload.id).toBe("");
    const list = await caller.call("conversations.list", { studentId });
    if (refusal === null) expect(list.body).toMatchObject({ threads: [{ id: threadId }] });
    else expect(JSON.stringify(list.body ?? "")).not.toContain(threadId);
  });
});

test("without an agent, admins are notified and answer", async () => {
  const student = await person(w, "student", "active");
  const { threadId } = await send(student, student.id);
  expect((await threadOf(student, threadId)).agent).toBeNull();
  expect(await unreadNotifications(boss)).toContainEqual(
    expect.objectContaining({ about: { side: "student", number: "1", student: "Ada Obi" } }),
  );
  await send(boss, student.id, { text: "We'll look into it." });
  const [, answer] = await messagesOf(student, threadId);
  expect(answer?.by).toEqual({ role: "admin", name: "" });
});

test("while the agent is disabled, admins answer, and the student sees that there is no agent", async () => {
  const { student, agent } = await assignedStudent(w);
  const { unread } = await countsOf(boss);
  await boss.caller.call("students.setDisabled", { userId: agent.id, disabled: true });
  const { threadId } = await send(student, student.id);
  expect((await threadOf(student, threadId)).agent).toBeNull();
  const opened = await student.caller.call("conversations.open", {
    studentId: student.id,
    applicationId: null,
  });
  expect(opened.body).toMatchObject({ agent: null });
  expect((await countsOf(boss)).unread).toBe(unread + 1);
  await w.services.database.db.update(user).set({ status: "approved" }).where(eq(user.id, agent.id));
  expect((await threadOf(student, threadId)).agent).toMatchObject({ id: agent.id });
  expect((await countsOf(boss)).unread).toBe(unread);
});

test("nobody can write to a student who can't log in", async () => {
  const { student, agent } = await assignedStudent(w);
  const { threadId } = await send(student, student.id);
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, student.id));
  expect((await trySend(agent, student.id)).code).toBe("failed-precondition");
  expect((await threadOf(agent, threadId)).student.reachable).toBe(false);
});

test("a message needs text or files, within the limits", async () => {
  const { student } = await assignedStudent(w);
  expect((await trySend(student, student.id, { text: " \n" })).code).toBe("form/incomplete");
  const long = "x".repeat(messageLimits.text + 1);
  expect((await trySend(student, student.id, { text: long })).code).toBe("form/incomplete");
  const files = Array.from({ length: 6 }, () => randomUUID());
  expect((await trySend(student, student.id, { files })).code).toBe("invalid-argument");
  expect(await threadsOf(student)).toEqual([]);
});

test("a message that is sent again with its key is stored and counted once", async () => {
  const { student } = await assignedStudent(w);
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(student, student.id, { key })));
  expect(new Set(answers.map(({ number }) => number))).toEqual(new Set([1]));
  const elsewhere = textIn((await submit(student)).body, "id");
  expect(await send(student, student.id, { key, applicationId: elsewhere })).toEqual(answers[0]);
  for (let more = 1; more < messageLimits.hourlyMessages; more++) await send(student, student.id);
  const refused = await trySend(student, student.id);
  expect([refused.code, refused.message]).toEqual([
    "resource-exhausted",
    "You've sent many messages within the hour. Please try again later.",
  ]);
});

test("messages come in pages in both directions, without repeating or missing one", async () => {
  const { student, agent } = await assignedStudent(w);
  let threadId = "";
  for (let at = 0; at < 7; at++) ({ threadId } = await send(student, student.id));
  const numbers = async (page: object) => {
    const { body } = await agent.caller.call("conversations.messages", { threadId, limit: 3, ...page });
    const { messages, more } = body as { messages: { number: number }[]; more: boolean };
    return [messages.map(({ number }) => number), more];
  };
  expect(await numbers({})).toEqual([[5, 6, 7], true]);
  expect(await numbers({ before: 5 })).toEqual([[2, 3, 4], true]);
  expect(await numbers({ before: 2 })).toEqual([[1], false]);
  expect(await numbers({ after: 4 })).toEqual([[5, 6, 7], false]);
});
