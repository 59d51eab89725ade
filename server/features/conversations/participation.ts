import { eq, inArray } from "drizzle-orm";
import type { AccountStatus } from "#domain/account.ts";
import { moverOf } from "#domain/application-step.ts";
import { type AssignedStudent, isApprovedAgent } from "#domain/permission.ts";
import { isUuid } from "#domain/uuid.ts";
import { user } from "#server/features/account/tables.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { thread } from "./tables.ts";

export const holderOf = (session: Session) => ({ ...session, id: session.userId });

/**
 * Refuses somebody who takes no part in a student's conversations: other approved agents learn that they may not, as
 * when moving an application, and everyone else that there is nothing.
 */
export function demandPart(who: AccountStatus & { id: string }, of: AssignedStudent | null): void {
  if (of === null) throw new Refusal("not-found");
  if (moverOf(who, of) === null) throw new Refusal(isApprovedAgent(who) ? "permission-denied" : "not-found");
}

/** Returns the student whose thread this is; null for an unknown id. */
export async function studentOfThread(db: Reader, threadId: string): Promise<AssignedStudent | null> {
  if (!isUuid(threadId)) return null;
  const [row] = await db
    .select({ id: user.id, assignedAgentId: user.assignedAgentId })
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
