import { eq, inArray } from "drizzle-orm";
import type { AccountStatus } from "#domain/account.ts";
import { moverOf } from "#domain/application-step.ts";
import { type AssignedStudent, isApprovedAgent, type SharingStudent } from "#domain/permission.ts";
import { isUuid } from "#domain/uuid.ts";
import { user } from "#server/features/account/tables.ts";
import { sharingStoppedAt } from "#server/features/assignments/queries.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { thread } from "./tables.ts";

export const holderOf = (session: Session) => ({ ...session, id: session.userId });

/**
 * Returns the student if the user takes part in their conversations. Refuses other approved agents as not permitted, as
 * when moving an application, and everyone else as not found.
 */
export function requireParticipation<Student extends AssignedStudent>(
  who: AccountStatus & { id: string },
  student: Student | null,
): Student {
  if (student === null) throw new Refusal("not-found");
  if (moverOf(who, student) === null)
    throw new Refusal(isApprovedAgent(who) ? "permission-denied" : "not-found");
  return student;
}

/** Returns the student whose thread this is; null for an unknown id. */
export async function studentOfThread(db: Reader, threadId: string): Promise<SharingStudent | null> {
  if (!isUuid(threadId)) return null;
  const [row] = await db
    .select({ id: user.id, assignedAgentId: user.assignedAgentId, sharingStoppedAt })
    .from(thread)
    .innerJoin(user, eq(user.id, thread.studentId))
    .where(eq(thread.id, threadId));
  return row ?? null;
}

/** Returns the student ids of the threads that a viewer may watch, by thread id. */
export async function studentsOfWatchableThreads(
  db: Reader,
  viewer: AccountStatus & { userId: string },
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: thread.id, student: { id: user.id, assignedAgentId: user.assignedAgentId } })
    .from(thread)
    .innerJoin(user, eq(user.id, thread.studentId))
    .where(inArray(thread.id, [...ids]));
  const who = { ...viewer, id: viewer.userId };
  return new Map(
    rows.flatMap(({ id, student }) => (moverOf(who, student) === null ? [] : [[id, student.id] as const])),
  );
}
