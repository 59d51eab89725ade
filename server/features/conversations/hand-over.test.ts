import { afterAll, beforeAll, expect, test } from "vitest";
import {
  countsOf,
  messagesOf,
  read,
  send,
  statementsWait,
  threadOf,
  threadsOf,
  trySend,
  uploadForMessage,
} from "#tests/support/conversations.ts";
import { assign, assignedStudent } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { openStream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

test("after a hand-over the new agent can read everything immediately, and the former agent's stream is refused", async () => {
  const { student, agent } = await assignedStudent(w);
  const next = await person(w, "agent", "approved");
  // Its event shows that the server has received all earlier ones, which might otherwise arrive after the grant.
  const messages = await openStream(agent.caller, "conversations");
  const { threadId } = await send(student, student.id, { text: "First" });
  expect(await messages.next()).toBe("conversations");
  await messages.leave();
  const stream = await openStream(agent.caller, `thread:${threadId}`);
  expect(await stream.nextEvent()).toEqual({ name: `thread:${threadId}`, data: "{}" });
  await boss.caller.call("students.assign", {
    studentId: student.id,
    agentId: next.id,
    expectedAgentId: agent.id,
  });
  await send(student, student.id, { text: "Second" });
  expect(await stream.nextEvent()).toEqual({
    name: `thread:${threadId}`,
    data: JSON.stringify({ refused: "not-found" }),
  });
  await stream.leave();
  expect((await messagesOf(next, threadId)).map(({ text }) => text)).toEqual(["First", "Second"]);
  expect((await threadsOf(next))[0]).toMatchObject({ id: threadId, unread: 2 });
  expect(await threadsOf(agent)).toEqual([]);
  expect(await countsOf(agent)).toEqual({ unread: 0, waiting: 0 });
});

test("a former agent gets nothing that is written after the hand-over, not even by calls in flight", async () => {
  const { student, agent } = await assignedStudent(w);
  const next = await person(w, "agent", "approved");
  const { id: fileId } = await uploadForMessage(student, student.id);
  const { threadId } = await send(student, student.id, { files: [fileId] });
  const { pool } = w.services.database;
  const ask = (name: string, input: object) => agent.caller.call(`conversations.${name}`, input);
  const askAll = () => [
    ask("messages", { threadId }),
    ask("thread", { threadId }),
    ask("open", { studentId: student.id, applicationId: null }),
  ];
  const writing = await pool.connect();
  await writing.query("begin");
  await writing.query("lock table message in access exclusive mode");
  const inFlight = askAll();
  const list = ask("list", {});
  await statementsWait(w, inFlight.length + 1);
  await assign(w, student.id, next.id);
  await writing.query("update message set text = 'canary-815' where thread_id = $1", [threadId]);
  await writing.query("commit");
  writing.release();
  for (const refused of await Promise.all([...inFlight, ...askAll()]))
    expect([refused.code, JSON.stringify(refused.body)]).toEqual([
      "permission-denied",
      expect.not.stringContaining("canary-815"),
    ]);
  for (const { body } of [await list, await ask("list", {})])
    expect(body).toEqual({ threads: [], next: null });
  expect((await ask("fileLink", { fileId, mode: "view" })).code).toBe("not-found");
  expect((await trySend(agent, student.id)).code).toBe("permission-denied");
});

test("a read in flight can't undo a mark as unread", async () => {
  const { student, agent } = await assignedStudent(w);
  const { threadId } = await send(student, student.id);
  const marking = await w.services.database.pool.connect();
  await marking.query("begin");
  await marking.query("insert into thread_reader (thread_id, user_id, marked_from) values ($1, $2, 1)", [
    threadId,
    boss.id,
  ]);
  const reading = read(boss, threadId, 1);
  await statementsWait(w, 1);
  await marking.query("commit");
  marking.release();
  await reading;
  expect((await threadOf(boss, threadId)).thread).toMatchObject({ readUpTo: 0, markedFrom: 1, unread: 1 });
  expect((await threadOf(agent, threadId)).thread?.unread).toBe(1);
});
