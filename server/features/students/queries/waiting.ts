import { and, asc, desc, eq, gt, inArray, isNull, lt, sql } from "drizzle-orm";
import { applicationStates } from "#domain/application.ts";
import { isOpen } from "#domain/application-step.ts";
import type { DocumentKind } from "#domain/document.ts";
import { idleAfterHours, newForDays, waitingLimit } from "#domain/student-list.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { document } from "#server/features/documents/tables.ts";
import type { Database } from "#server/platform/database.ts";

type Reader = Database["db"];
const student = { id: user.id, name: user.name };
const isOf = (agentId: string) => and(eq(user.role, "student"), eq(user.assignedAgentId, agentId));
const ago = (hours: number) => sql`now() - make_interval(hours => ${hours})`;
const moving = applicationStates.filter((state) => isOpen(state) && state !== "deferred");

/** One entry a student, for all of their documents that nobody has looked at yet. */
async function documentsToReview(db: Reader, agentId: string) {
  const since = sql<Date>`min(${document.uploadedAt})`.mapWith(document.uploadedAt);
  return await db
    .select({
      student,
      kinds: sql<DocumentKind[]>`array_agg(${document.kind} order by ${document.uploadedAt})`,
      since,
    })
    .from(document)
    .innerJoin(user, eq(user.id, document.studentId))
    .where(and(isOf(agentId), eq(document.state, "uploaded"), isNull(document.replacedAt)))
    .groupBy(user.id)
    .orderBy(asc(since), asc(user.id))
    .limit(waitingLimit);
}

const idleApplications = (db: Reader, agentId: string) =>
  db
    .select({ student, program: application.program, state: application.state, since: application.updatedAt })
    .from(application)
    .innerJoin(user, eq(user.id, application.studentId))
    .where(
      and(isOf(agentId), inArray(application.state, moving), lt(application.updatedAt, ago(idleAfterHours))),
    )
    .orderBy(asc(application.updatedAt), asc(application.id))
    .limit(waitingLimit);

async function newlyAssigned(db: Reader, agentId: string) {
  const since = sql<Date>`${user.assignedAt}`.mapWith(user.assignedAt);
  return await db
    .select({ student, since })
    .from(user)
    .where(and(isOf(agentId), gt(user.assignedAt, ago(newForDays * 24))))
    .orderBy(desc(since), asc(user.id))
    .limit(waitingLimit);
}

/** What waits for an agent (issue "Students", item 9). */
export async function waitingFor(db: Reader, agentId: string) {
  const [documents, applications, assigned] = await Promise.all([
    documentsToReview(db, agentId),
    idleApplications(db, agentId),
    newlyAssigned(db, agentId),
  ]);
  return { documents, applications, assigned };
}
