import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageLimits } from "#domain/conversation.ts";
import {
  countsOf,
  messagesOf,
  read,
  send,
  statementsWait,
  threadOf,
  uploadForMessage,
} from "#tests/support/conversations.ts";
import { assignedStudent, filesOf } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { audit } from "../audit/tables.ts";
import { notification } from "../notifications/tables.ts";
import { message } from "./tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const notificationsTo = ({ id }: Person) =>
  w.services.database.db.select().from(notification).where(eq(notification.userId, id));

describe("taking back", () => {
  const takeBack = (by: Person, threadId: string, number: number) =>
    by.caller.call("conversations.takeBack", { threadId, number });
  const settle = async (by: Person, threadId: string, lastNumber: number) =>
    expect((await by.caller.call("conversations.needsNoAnswer", { threadId, lastNumber })).code).toBeNull();

  test("an answer leaves a stub without a notification, and the question waits again since it was asked", async () => {
    const { student, agent } = await assignedStudent(w);
    const { threadId } = await send(student, student.id, { text: "Question" });
    const since = (await threadOf(agent, threadId)).thread?.waitingSince;
    const { id } = await uploadForMessage(agent, student.id);
    await send(agent, student.id, { text: "Wrong student, sorry", files: [id] });
    expect((await takeBack(student, threadId, 2)).code).toBe("not-found");
    expect((await takeBack(agent, threadId, 2)).code).toBeNull();
    const [, stub] = await messagesOf(student, threadId);
    expect(stub).toMatchObject({ state: "takenBack", text: "", files: [] });
    expect((await threadOf(agent, threadId)).thread).toMatchObject({ waiting: "staff", waitingSince: since });
    expect(await notificationsTo(student)).toEqual([]);
    expect(await countsOf(student)).toEqual({ unread: 0, waiting: 0 });
    expect(await filesOf(w, student.id)).toEqual([]);
    expect((await takeBack(agent, threadId, 2)).code).toBe("failed-precondition");
  });

  test("is refused once someone else has read the message, even if they marked it as unread, and after 15 minutes", async () => {
    const { student, agent } = await assignedStudent(w);
    const { threadId } = await send(student, student.id);
    expect((await messagesOf(student, threadId))[0]?.takeBackUntil).not.toBeNull();
    await read(agent, threadId, 1);
    await agent.caller.call("conversations.markUnread", { threadId, from: 1 });
    expect((await messagesOf(student, threadId))[0]?.takeBackUntil).toBeNull();
    expect((await takeBack(student, threadId, 1)).message).toMatch(/^Somebody has read/);
    const other = await assignedStudent(w);
    const { threadId: unread } = await send(other.student, other.student.id);
    const late = new Date(Date.now() - messageLimits.takeBack * 60_000 - 1000);
    await w.services.database.db.update(message).set({ at: late }).where(eq(message.threadId, unread));
    expect((await takeBack(other.student, unread, 1)).message).toMatch(/for 15 minutes/);
  });

  test("depends on what was read, even if it was marked as unread since", async () => {
    const { student, agent } = await assignedStudent(w);
    const mark = (threadId: string, from: number) =>
      agent.caller.call("conversations.markUnread", { threadId, from });
    const { threadId } = await send(student, student.id);
    await send(student, student.id);
    await read(agent, threadId, 1);
    await mark(threadId, 1);
    await mark(threadId, 2);
    await send(student, student.id);
    expect((await takeBack(student, threadId, 1)).message).toMatch(/^Somebody has read/);
    for (const unread of [2, 3]) expect((await takeBack(student, threadId, unread)).code).toBeNull();
  });

  test("an answer makes the question wait again, even if the student marked that answer as needing none", async () => {
    const { student, agent } = await assignedStudent(w);
    const { threadId } = await send(student, student.id, { text: "Question" });
    const since = (await threadOf(agent, threadId)).thread?.waitingSince;
    await send(agent, student.id, { text: "Wrong student, sorry" });
    await settle(student, threadId, 2);
    expect((await takeBack(agent, threadId, 2)).code).toBeNull();
    expect((await threadOf(agent, threadId)).thread).toMatchObject({ waiting: "staff", waitingSince: since });
  });

  test("an answer doesn't make a question wait that was marked as needing none", async () => {
    const { student, agent } = await assignedStudent(w);
    const { threadId } = await send(student, student.id, { text: "Thank you" });
    await settle(agent, threadId, 1);
    await send(agent, student.id, { text: "You're welcome" });
    await settle(student, threadId, 2);
    expect((await takeBack(agent, threadId, 2)).code).toBeNull();
    expect((await threadOf(agent, threadId)).thread).toMatchObject({ waiting: null });
  });

  test("a later message doesn't make an answered question wait again", async () => {
    const { student, agent } = await assignedStudent(w);
    const { threadId } = await send(student, student.id, { text: "Question" });
    await send(agent, student.id, { text: "Answer" });
    await settle(student, threadId, 2);
    await send(student, student.id, { text: "Another question" });
    expect((await takeBack(student, threadId, 3)).code).toBeNull();
    expect((await threadOf(agent, threadId)).thread).toMatchObject({ waiting: null });
  });

  test("keeps the wait for a question that was blacked out", async () => {
    const { student, agent } = await assignedStudent(w);
    const { threadId } = await send(student, student.id);
    const since = (await threadOf(agent, threadId)).thread?.waitingSince;
    await boss.caller.call("conversations.blackOut", { threadId, number: 1, reason: "Card number" });
    await send(student, student.id);
    expect((await takeBack(student, threadId, 2)).code).toBeNull();
    expect((await threadOf(agent, threadId)).thread).toMatchObject({ waiting: "staff", waitingSince: since });
  });

  test("makes concurrent reads wait", async () => {
    const { student, agent } = await assignedStudent(w);
    const { threadId } = await send(student, student.id);
    const { pool } = w.services.database;
    const taking = await pool.connect();
    await taking.query("begin");
    await taking.query("select from thread where id = $1 for update", [threadId]);
    const reading = read(agent, threadId, 1);
    await statementsWait(w, 1);
    await taking.query("commit");
    taking.release();
    expect((await reading).body).toEqual({ done: true });
  });
});

test("a blacked-out message is gone from the database and the store, and shows the reason", async () => {
  const { student, agent } = await assignedStudent(w);
  const { id } = await uploadForMessage(student, student.id, "visa.pdf");
  const { threadId } = await send(student, student.id, { text: "My card is 4111 1111", files: [id] });
  const blackOut = (by: Person, reason: string) =>
    by.caller.call("conversations.blackOut", { threadId, number: 1, reason });
  expect((await blackOut(agent, "Card number")).code).toBe("permission-denied");
  expect((await blackOut(boss, " ")).code).toBe("form/incomplete");
  expect((await blackOut(boss, " Card number ")).code).toBeNull();
  expect((await blackOut(boss, "Again")).code).toBe("failed-precondition");
  const [stub] = await messagesOf(agent, threadId);
  expect(stub).toMatchObject({ state: "blackedOut", text: "", reason: "Card number", files: [] });
  expect(await filesOf(w, student.id)).toEqual([]);
  const rows = await w.services.database.db.select().from(message).where(eq(message.threadId, threadId));
  expect(JSON.stringify(rows)).not.toContain("4111 1111");
  const entries = await w.services.database.db.select().from(audit).where(eq(audit.actorId, boss.id));
  expect(entries).toContainEqual(
    expect.objectContaining({
      action: "message-blacked-out",
      subjectId: student.id,
      detail: { thread: threadId, message: "1", reason: "Card number" },
    }),
  );
});
