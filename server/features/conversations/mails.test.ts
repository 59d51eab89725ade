import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { submit } from "#tests/support/applications.ts";
import { textIn } from "#tests/support/caller.ts";
import { read, send, trySend } from "#tests/support/conversations.ts";
import { assign, assignedStudent } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { threadReader } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

/** Sends all waiting mails, and returns the subjects of a person's mails about messages. */
async function mailsTo({ email }: Person): Promise<string[]> {
  await w.mailsAreDue();
  const { pool } = w.services.database;
  await until(async () => {
    const { rowCount } = await pool.query(
      "select from jobs.job where name = 'mail' and state in ('created', 'retry', 'active')",
    );
    return rowCount === 0;
  });
  return w.log.flatMap(({ to, subject = "" }) => (to === email && /message/.test(subject) ? [subject] : []));
}

/** Pretends that nobody has had a thread in view for an hour. */
const lookAway = (threadId: string) =>
  w.services.database.db
    .update(threadReader)
    .set({ seenAt: new Date(Date.now() - 3_600_000) })
    .where(eq(threadReader.threadId, threadId));

test("the first unread message is mailed after five minutes, naming sender and programme, without its text", async () => {
  const { student, agent } = await assignedStudent(w);
  const applicationId = textIn((await submit(student)).body, "id");
  await send(agent, student.id, { applicationId, text: "canary-4711" });
  const { rows } = await w.services.database.pool.query(
    "select extract(epoch from start_after - created_on)::int as wait from jobs.job where name = 'mail' and state = 'created' order by created_on desc limit 1",
  );
  expect(rows).toEqual([{ wait: 300 }]);
  expect(await mailsTo(student)).toEqual(["New message from Ada Obi about MSc Data Science, Spring Intake"]);
  expect(JSON.stringify(w.log)).not.toContain("canary-4711");
});

test("no further message is mailed until the reader has read the thread", async () => {
  const { student, agent } = await assignedStudent(w);
  const { threadId } = await send(agent, student.id);
  await send(agent, student.id);
  expect(await mailsTo(student)).toHaveLength(1);
  await send(agent, student.id);
  expect(await mailsTo(student)).toHaveLength(1);
  await read(student, threadId, 3);
  await lookAway(threadId);
  await send(agent, student.id);
  expect(await mailsTo(student)).toHaveLength(2);
});

test("a later message is mailed even if the reader marked earlier ones as unread", async () => {
  const { student, agent } = await assignedStudent(w);
  const { threadId } = await send(agent, student.id);
  expect(await mailsTo(student)).toHaveLength(1);
  await read(student, threadId, 1);
  await student.caller.call("conversations.markUnread", { threadId, from: 1 });
  await lookAway(threadId);
  await send(agent, student.id);
  expect(await mailsTo(student)).toHaveLength(2);
});

test("concurrent messages send one mail", async () => {
  const { student, agent } = await assignedStudent(w);
  await Promise.all(Array.from({ length: 10 }, () => send(agent, student.id)));
  expect(await mailsTo(student)).toHaveLength(1);
});

test("a message that was read in time is not mailed, and the next one waits its own five minutes", async () => {
  const { student, agent } = await assignedStudent(w);
  const { threadId } = await send(agent, student.id);
  const { pool } = w.services.database;
  const { rows } = await pool.query(
    "select id from jobs.job where name = 'mail' and state = 'created' order by created_on desc limit 1",
  );
  await read(student, threadId, 1);
  await send(agent, student.id);
  // Only the first message's job is due.
  await pool.query("update jobs.job set start_after = now() where id = $1", [rows[0]?.id]);
  await until(async () => {
    const { rowCount } = await pool.query("select from jobs.job where id = $1 and state = 'completed'", [
      rows[0]?.id,
    ]);
    return rowCount === 1;
  });
  expect(w.log.filter(({ to }) => to === student.email)).toEqual([]);
  await lookAway(threadId);
  expect(await mailsTo(student)).toHaveLength(1);
});

test("no mail is sent while the thread is in view, but the next message is mailed again", async () => {
  const { student, agent } = await assignedStudent(w);
  const { threadId } = await send(agent, student.id);
  // The page repeats the call with what was read, here nothing.
  await read(student, threadId, 0);
  expect(await mailsTo(student)).toEqual([]);
  await lookAway(threadId);
  await send(agent, student.id);
  expect(await mailsTo(student)).toHaveLength(1);
});

test("a message that was taken back, or that the reader may not see any more, is not mailed", async () => {
  const { student, agent } = await assignedStudent(w);
  const { threadId } = await send(agent, student.id);
  await agent.caller.call("conversations.takeBack", { threadId, number: 1 });
  expect(await mailsTo(student)).toEqual([]);
  await send(agent, student.id);
  expect(await mailsTo(student)).toHaveLength(1);
  await trySend(student, student.id);
  await assign(w, student.id, (await person(w, "agent", "approved")).id);
  expect(await mailsTo(agent)).toEqual([]);
  await assign(w, student.id, agent.id);
  await trySend(student, student.id);
  expect(await mailsTo(agent)).toHaveLength(1);
});

test("taking a message back before its mail is sent doesn't suppress a later message's mail", async () => {
  const { student, agent } = await assignedStudent(w);
  const { threadId } = await send(agent, student.id);
  await agent.caller.call("conversations.takeBack", { threadId, number: 1 });
  await send(agent, student.id);
  expect(await mailsTo(student)).toHaveLength(1);
  await w.services.database.pool.query(
    "update message set at = at - interval '5 minutes' where thread_id = $1",
    [threadId],
  );
  await agent.caller.call("conversations.takeBack", { threadId, number: 2 });
  await send(agent, student.id);
  expect(await mailsTo(student)).toHaveLength(1);
});

test("an admin's message notifies the agent too, without the admin's name", async () => {
  const { student, agent } = await assignedStudent(w);
  const boss = await person(w, "admin", "active");
  await send(boss, student.id);
  expect(await mailsTo(student)).toEqual(["New message from your consultancy"]);
  await w.mail(agent.email, /^An administrator wrote to Ada Obi$/);
});
