import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BulkRun } from "#contract/bulk-runs.ts";
import { takeBackMinutes } from "#domain/assignment.ts";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { message, thread } from "#server/features/conversations/tables.ts";
import { note } from "#server/features/notes/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { addStudents, finished, startAndFinish } from "#tests/support/bulk-runs.ts";
import { tablesWith } from "#tests/support/erasure.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { retryRun } from "./retry.ts";
import { bulkItem, bulkRun } from "./tables.ts";

let w: Wayfare;
let boss: Person;
let kofi: Person;
let yaw: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
  kofi = await person(w, "agent", "approved");
  yaw = await person(w, "agent", "approved");
});
afterAll(() => w.stop());

const retry = (who: Person, { id }: Pick<BulkRun, "id">, on = w) =>
  who.caller.on(on.app).call("bulkRuns.retry", { id });

/** Starts a run and waits for its end while a constraint refuses a value of a column, like a fault in the server. */
async function finishFailing(who: Person, run: BulkRun, table: string, column: string, value: string) {
  const fault = `check (${column} is distinct from '${value}') not valid`;
  await w.asOwner(`alter table "${table}" add constraint fault ${fault}`);
  const result = await startAndFinish(who, run);
  await w.asOwner(`alter table "${table}" drop constraint fault`);
  return result;
}

const prepareMessage = (who: Person, studentIds: string[], text: string) =>
  who.caller.api.bulkRuns.prepare({ act: "message", studentIds, text });

const sentTo = (ids: readonly string[]) =>
  w.services.database.db
    .select({ studentId: thread.studentId, threadId: thread.id })
    .from(message)
    .innerJoin(thread, eq(thread.id, message.threadId))
    .where(inArray(thread.studentId, [...ids]))
    .orderBy(thread.studentId);

/** Assigns two of Kofi's students to an agent; the second row fails. */
async function assignFailing(agent: Person, note = "") {
  const ids = await addStudents(w, 2, kofi, null);
  const assign = { act: "assign", studentIds: ids, agentId: agent.id, note } as const;
  const run = await boss.caller.api.bulkRuns.prepare(assign);
  const result = await finishFailing(boss, run, "audit", "subject_id", ids[1] ?? "");
  expect(result).toMatchObject({ done: 1, failed: 1 });
  return { ids, run };
}

describe("retrying failed rows", () => {
  test("carries out only those, once for concurrent calls on two nodes, and replaces their outcome", async () => {
    const esi = await person(w, "agent", "approved");
    const ids = await addStudents(w, 3, esi, null);
    const [, failing = "", lost = ""] = ids;
    const run = await prepareMessage(esi, ids, "Please call us.");
    await boss.caller.api.students.assign({ studentId: lost, agentId: yaw.id, expectedAgentId: esi.id });
    const result = await finishFailing(esi, run, "thread", "student_id", failing);
    expect(result).toMatchObject({ done: 1, skipped: 1, failed: 1, text: "Please call us." });

    const other = await wayfare({ on: w.address });
    const answers = await Promise.all([w, other, w, other].map((node) => retry(esi, run, node)));
    expect(answers.map(({ code }) => code)).toEqual([null, null, null, null]);
    expect(await finished(esi, run)).toMatchObject({ done: 2, skipped: 1, failed: 0, text: "" });
    await other.stop();
    expect((await sentTo(ids)).map(({ studentId }) => studentId)).toEqual(ids.slice(0, 2));
    const entries = await w.services.database.db
      .select({ detail: audit.detail })
      .from(audit)
      .where(and(eq(audit.action, "bulk-run-retried"), eq(audit.actorId, esi.id)));
    expect(entries).toEqual([{ detail: { act: "message", run: run.id, rows: "1" } }]);
  });

  test("leaves out rows that a rule refuses by then, and does nothing once no row has failed", async () => {
    const ids = await addStudents(w, 1, kofi, null);
    const [lost = ""] = ids;
    const run = await prepareMessage(kofi, ids, "Please write to us.");
    await finishFailing(kofi, run, "thread", "student_id", lost);
    await boss.caller.api.students.assign({ studentId: lost, agentId: yaw.id, expectedAgentId: kofi.id });
    await retry(kofi, run);
    const reasons = [{ reason: "anotherAgents", rows: 1 }];
    const result = await finished(kofi, run);
    expect(result).toMatchObject({ done: 0, skipped: 1, failed: 0, reasons });
    expect((await retry(kofi, run)).body).toEqual(JSON.parse(JSON.stringify(result)));
  });

  test("notifies agents of those students only, and writes the note for them", async () => {
    const next = await person(w, "agent", "approved");
    const { ids, run } = await assignFailing(next, "Prefers the evening.");
    await retry(boss, run);
    expect(await finished(boss, run)).toMatchObject({ done: 2, failed: 0, note: "" });
    const { db } = w.services.database;
    const notes = await db.select().from(note).where(inArray(note.studentId, ids));
    expect(notes.map(({ studentId }) => studentId).toSorted()).toEqual(ids);
    const notifications = await db.select().from(notification).where(eq(notification.userId, next.id));
    expect(notifications.map(({ about }) => about["students"])).toEqual(["1 student", "1 student"]);
  });

  test("is allowed to the run's creator only, while they may manage students, and needs a run that was started", async () => {
    const former = await person(w, "agent", "approved");
    const studentIds = await addStudents(w, 1, former, null);
    const input = { act: "message", studentIds, text: "Good morning." } as const;
    const run = await former.caller.api.bulkRuns.prepare(input);
    expect((await retry(former, run)).code).toBe("failed-precondition");
    await finishFailing(former, run, "thread", "student_id", studentIds[0] ?? "");
    expect((await retry(boss, run)).code).toBe("not-found");
    const { db } = w.services.database;
    await db.update(user).set({ status: "revoked" }).where(eq(user.id, former.id));
    const actor = { userId: former.id, address: "203.0.113.7" };
    await expect(retryRun(w.services, actor, run.id)).rejects.toMatchObject({ code: "permission-denied" });
    expect(await db.$count(bulkItem, and(eq(bulkItem.runId, run.id), eq(bulkItem.outcome, "failed")))).toBe(
      1,
    );
  });

  test("is refused for an assignment that was taken back, and for a take-back after its deadline", async () => {
    const { run } = await assignFailing(yaw);
    const undoing = await boss.caller.api.bulkRuns.takeBack({ id: run.id });
    await finished(boss, undoing);
    expect(await retry(boss, run)).toMatchObject({
      code: "failed-precondition",
      message: "These students were given back, so nothing is tried again.",
    });
    const { db } = w.services.database;
    await db.update(bulkItem).set({ outcome: "failed" }).where(eq(bulkItem.runId, undoing.id));
    expect((await retry(boss, undoing)).code).toBeNull();
    await finished(boss, undoing);
    await db.update(bulkItem).set({ outcome: "failed" }).where(eq(bulkItem.runId, undoing.id));
    const late = new Date(Date.now() - takeBackMinutes * 60_000 - 1000);
    await db.update(bulkRun).set({ finishedAt: late }).where(eq(bulkRun.id, run.id));
    expect((await retry(boss, undoing)).message).toBe("Students can be given back for 10 minutes.");
  });

  test("is refused once a message with the text was blacked out, which deletes it here too", async () => {
    const text = "Fallschirmspringerverein";
    const ids = await addStudents(w, 2, kofi, null);
    const run = await prepareMessage(kofi, ids, ` ${text} `);
    await finishFailing(kofi, run, "thread", "student_id", ids[1] ?? "");
    expect(await tablesWith(w, text)).toEqual(["public.bulk_run", "public.message"]);
    for (const { threadId } of await sentTo(ids))
      await boss.caller.api.conversations.blackOut({ threadId, number: 1, reason: "A slip" });
    expect(await tablesWith(w, text)).toEqual([]);
    expect(await retry(kofi, run)).toMatchObject({
      code: "failed-precondition",
      message: "What you wrote isn't kept any more. Please choose these students again.",
    });
  });
});
