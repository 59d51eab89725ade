import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { and, eq } from "drizzle-orm";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { calendarDate } from "#domain/calendar-date.ts";
import { isStudent, mayActOnBehalf } from "#domain/permission.ts";
import {
  checkQualification,
  checkTestResult,
  type Qualification,
  recordLimits,
  type TestResult,
  workMonthsProblem,
} from "#domain/study-record.ts";
import { type Account, lockAccount, lockStatus } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { studentById } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { recordQualification, recordTest, studyRecord } from "./tables.ts";

/**
 * Locks the student of a record, for the student or for the assigned agent who acts on their behalf; refuses everyone
 * else as if there were no such student. Changes of one record wait for each other, so that two can't both find room
 * for the last entry.
 */
async function lockOwner(tx: Transaction, { userId }: Actor, studentId: string): Promise<Account> {
  const isOwn = studentId === userId;
  const agent = isOwn ? null : await lockStatus(tx, userId);
  const account = await lockAccount(tx, studentId, "update");
  const student = await studentById(tx, studentId);
  if (!account || !student || !isStudent(account)) throw new Refusal("not-found");
  if (!isOwn && !(agent && mayActOnBehalf({ ...agent, id: userId }, student))) throw new Refusal("not-found");
  return account;
}

type Part = "qualification" | "test" | "work";
type Change = { part: Part; change: "added" | "changed" | "removed" };

/** Stores and audits a change of a record, notifies the student of an agent's, and refreshes open pages. */
async function recordChange(
  services: Services,
  tx: Transaction,
  actor: Actor,
  { student, workMonths, ...change }: Change & { student: Account; workMonths?: number | null },
): Promise<void> {
  const set = { updatedAt: new Date(), ...(workMonths !== undefined && { workMonths }) };
  await tx
    .insert(studyRecord)
    .values({ studentId: student.id, ...set })
    .onConflictDoUpdate({ target: studyRecord.studentId, set });
  const isOwn = actor.userId === student.id;
  const detail: AuditDetail = { ...change, ...(!isOwn && { right: "agent" }) };
  await recordAudit(tx, { action: "record-saved", ...actedBy(actor), subjectId: student.id, detail });
  if (!isOwn) {
    const [agent] = await tx.select({ name: user.name }).from(user).where(eq(user.id, actor.userId));
    await notify(services, tx, {
      userId: student.id,
      kind: "enteredForYou",
      eventKey: `entered-for-you:record:${randomUUID()}`,
      topic: "entered-for-you:record",
      about: { agent: agent?.name ?? "", what: "record of qualifications and tests" },
      ids: { studentId: student.id },
      agentId: actor.userId,
      path: "/student-profile",
    });
  }
  await broadcastDashboards(services, tx, "profile", student.id, student.assignedAgentId);
}

type EntryChange<Form> = { studentId: string; id: string | undefined; form: Form };

/** Returns what saving an entry does to a record with these entries; null for no change. */
function changeOf(
  entries: readonly { id: string }[],
  id: string | undefined,
  entry: object,
  { max, what }: { max: number; what: string },
): "added" | "changed" | null {
  const row = entries.find((each) => each.id === id);
  if (row) return isDeepStrictEqual({ ...row, ...entry }, row) ? null : "changed";
  if (id !== undefined) throw new Refusal("not-found");
  if (entries.length < max) return "added";
  throw new Refusal("resource-exhausted", { message: `A record can have at most ${max} ${what}.` });
}

/** Adds a qualification to a student's record, or changes the one with this id. */
export async function saveQualification(
  services: Services,
  actor: Actor,
  { studentId, id, form }: EntryChange<Qualification>,
): Promise<{ id: string }> {
  return await services.database.transaction(async (tx) => {
    const student = await lockOwner(tx, actor, studentId);
    const qualification = checkQualification(form);
    if ("code" in qualification) throw Refusal.of(qualification);
    const entries = await tx
      .select()
      .from(recordQualification)
      .where(eq(recordQualification.studentId, studentId));
    const limit = { max: recordLimits.qualifications, what: "qualifications" };
    const change = changeOf(entries, id, qualification, limit);
    const row = { ...qualification, id: id ?? randomUUID(), studentId, enteredBy: actor.userId };
    if (change === null) return { id: row.id };
    await tx
      .insert(recordQualification)
      .values(row)
      .onConflictDoUpdate({ target: recordQualification.id, set: row });
    await recordChange(services, tx, actor, { part: "qualification", student, change });
    return { id: row.id };
  });
}

/** Adds a test result to a student's record, or changes the one with this id. */
export async function saveTest(
  services: Services,
  actor: Actor,
  { studentId, id, form }: EntryChange<TestResult>,
): Promise<{ id: string }> {
  return await services.database.transaction(async (tx) => {
    const student = await lockOwner(tx, actor, studentId);
    const result = checkTestResult(form, calendarDate(new Date()));
    if ("code" in result) throw Refusal.of(result);
    const entries = await tx.select().from(recordTest).where(eq(recordTest.studentId, studentId));
    const change = changeOf(entries, id, result, { max: recordLimits.tests, what: "test results" });
    const row = { ...result, id: id ?? randomUUID(), studentId, enteredBy: actor.userId };
    if (change === null) return { id: row.id };
    await tx.insert(recordTest).values(row).onConflictDoUpdate({ target: recordTest.id, set: row });
    await recordChange(services, tx, actor, { part: "test", student, change });
    return { id: row.id };
  });
}

/** Stores the number of months that a student has worked; null for unknown. */
export async function saveWork(
  services: Services,
  actor: Actor,
  { studentId, workMonths }: { studentId: string; workMonths: number | null },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const student = await lockOwner(tx, actor, studentId);
    const problem = workMonths === null ? null : workMonthsProblem(workMonths);
    if (problem !== null) throw new Refusal("form/incomplete", { field: "workMonths", message: problem });
    const [row] = await tx.select().from(studyRecord).where(eq(studyRecord.studentId, studentId));
    if ((row?.workMonths ?? null) === workMonths) return;
    await recordChange(services, tx, actor, { part: "work", change: "changed", student, workMonths });
  });
}

/** Removes a qualification or a test result from a student's record. */
export async function removeEntry(
  services: Services,
  actor: Actor,
  { studentId, id }: { studentId: string; id: string },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const student = await lockOwner(tx, actor, studentId);
    const qualifications = await tx
      .delete(recordQualification)
      .where(and(eq(recordQualification.id, id), eq(recordQualification.studentId, studentId)))
      .returning({ id: recordQualification.id });
    const tests = await tx
      .delete(recordTest)
      .where(and(eq(recordTest.id, id), eq(recordTest.studentId, studentId)))
      .returning({ id: recordTest.id });
    if (qualifications.length + tests.length === 0) throw new Refusal("not-found");
    const part = qualifications.length > 0 ? "qualification" : "test";
    await recordChange(services, tx, actor, { part, change: "removed", student });
  });
}
