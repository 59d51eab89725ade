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
 * Returns the student to who takes part in their conversations, and refuses everybody else: other approved agents learn that
 * they may not, as when moving an application, and the rest that there is nothing.
 */
export function demandPart<Of extends AssignedStudent>(
  who: AccountStatus & { id: string },
  of: Of | null,
): Of {
  if (of === null) throw new Refusal("not-found");
  if (moverOf(who, of) === null) throw new Refusal(isApprovedAgent(who) ? "permission-denied" : "not-found");
  return of;
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

/** Returns the students of those threads that somebody may watch, by thread. */
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
    rows.flatMap(({ id, student: of }) => (moverOf(who, of) === null ? [] : [[id, of.id] as const])),
  );
}
