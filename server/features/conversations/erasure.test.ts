import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseByEmail } from "#server/features/privacy/erase-account.ts";
import { submit } from "#tests/support/applications.ts";
import { textIn } from "#tests/support/caller.ts";
import { messagesOf, read, send, uploadForMessage } from "#tests/support/conversations.ts";
import { assignedStudent, filesOf } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

/** Creates a conversation about an application, with a file from each side. */
async function createConversation() {
  const { student, agent } = await assignedStudent(w);
  const applicationId = textIn((await submit(student)).body, "id");
  const [own, others] = [
    await uploadForMessage(student, student.id, "question.pdf"),
    await uploadForMessage(agent, student.id, "answer.pdf"),
  ];
  const { threadId } = await send(student, student.id, { applicationId, text: "Why?", files: [own.id] });
  await send(agent, student.id, { applicationId, text: "Because.", files: [others.id] });
  await read(student, threadId, 1);
  return { student, agent, threadId };
}

async function erase({ id, email }: Person): Promise<void> {
  await w.services.database.db.execute(sql`update "user" set status = 'disabled' where id = ${id}`);
  expect(await eraseByEmail(w.services, email)).toBe("erased");
}

test("erasing a student erases their conversations with all messages, files and notifications", async () => {
  const { student, agent, threadId } = await createConversation();
  await erase(student);
  const { rows } = await w.services.database.db.execute(sql`
    select 'thread' as what from thread where id = ${threadId}
    union all select 'message' from message where thread_id = ${threadId}
    union all select 'file' from message_file where student_id = ${student.id}
    union all select 'reader' from thread_reader where thread_id = ${threadId}
    union all select 'notification' from notification where user_id = ${agent.id} and kind = 'messageReceived'`);
  expect(rows).toEqual([]);
  expect(await filesOf(w, student.id)).toEqual([]);
});

test("an erased agent's messages stay with the student, without a name", async () => {
  const { student, agent, threadId } = await createConversation();
  await erase(agent);
  const [, answer] = await messagesOf(student, threadId);
  expect(answer).toMatchObject({ text: "Because.", by: null, files: [{ name: "answer.pdf" }] });
  expect(await messagesOf(boss, threadId)).toHaveLength(2);
  const { rows } = await w.services.database.db.execute(
    sql`select about from notification where user_id = ${student.id} and kind = 'messageReceived'`,
  );
  expect(rows).toEqual([
    { about: { side: "staff", number: "2", program: "MSc Data Science, Spring Intake" } },
  ]);
});
