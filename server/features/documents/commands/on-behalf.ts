import { eq } from "drizzle-orm";
import { isStudent, mayActOnBehalf, mayManageStudents, type maySeePapers } from "#domain/permission.ts";
import { accountById, lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { lockStudent, type StudentRecord, studentById } from "#server/features/assignments/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";

/** The student on whose behalf someone uploads, and the permission that this takes. */
export type OnBehalf = { studentId: string; may: typeof maySeePapers };

/**
 * Locks the student whose file this is, for the student or a user who acts on their behalf. The exclusive lock makes
 * concurrent uploads to a slot replace each other in turn.
 */
export async function lockOwner(
  tx: Transaction,
  actor: Actor,
  onBehalf: OnBehalf | null,
): Promise<StudentRecord> {
  if (onBehalf === null) {
    const student = await lockStudent(tx, actor.userId, "update");
    await lockActor(tx, actor, isStudent);
    if (!student) throw new Refusal("permission-denied");
    return student;
  }
  const who = await lockActor(tx, actor, mayManageStudents);
  const student = await lockStudent(tx, onBehalf.studentId, "update");
  if (!student || !onBehalf.may(who, student)) throw new Refusal("not-found");
  return student;
}

/**
 * Refuses an upload on a student's behalf before a byte of it is read, unless it comes from the assigned agent while
 * the student shares their papers. A missing student is refused in the same way.
 */
export async function requireRightToActOnBehalf(
  db: Reader,
  agentId: string,
  studentId: string,
): Promise<void> {
  const [agent, student] = [await accountById(db, agentId), await studentById(db, studentId)];
  if (!agent || !student || !mayActOnBehalf(agent, student)) throw new Refusal("not-found");
}

/** Returns the student's notification of a file that was uploaded on their behalf. */
export async function notificationsOfEntry(tx: Transaction, { userId }: Actor, document: string) {
  const [agent] = await tx.select({ name: user.name }).from(user).where(eq(user.id, userId));
  return { kind: "enteredForYou", about: { agent: agent?.name ?? "", document }, agentId: userId } as const;
}
