import { and, asc, desc, eq, gt, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import {
  type ApplicationState,
  applicationStates,
  statesForAgent,
  statesForStudent,
} from "#domain/application.ts";
import { isOpen } from "#domain/application-step.ts";
import { type DocumentKind, documentKinds } from "#domain/document.ts";
import { idleAfterHours, newForDays } from "#domain/student-list.ts";
import { waitingLimit } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { sharesPapersWith } from "#server/features/assignments/queries.ts";
import { document } from "#server/features/documents/tables.ts";
import type { Reader } from "#server/platform/database.ts";

const student = { id: user.id, name: user.name };
/** Counts all rows, or groups, regardless of the limit. */
const total = sql`count(*) over ()`.mapWith(Number);
const isOf = (agentId: string) => and(eq(user.role, "student"), eq(user.assignedAgentId, agentId));
const ago = (hours: number) => sql`now() - make_interval(hours => ${hours})`;

const excluded: ReadonlySet<ApplicationState> = new Set([...statesForAgent, ...statesForStudent, "deferred"]);
const statesElsewhere = applicationStates.filter((state) => isOpen(state) && !excluded.has(state));

const withTotal = <Row extends { total: number }>(rows: readonly Row[]) => ({
  entries: rows.map(({ total: _total, ...entry }) => entry),
  total: rows[0]?.total ?? 0,
});

/** Lists one entry for each student with documents that nobody has reviewed yet. */
async function documentsToReview(db: Reader, agentId: string, limit: number) {
  const since = sql<Date>`min(${document.uploadedAt})`.mapWith(document.uploadedAt);
  const rows = await db
    .select({ student, kinds: sql<DocumentKind[]>`array_agg(${document.kind})`, since, total })
    .from(document)
    .innerJoin(user, eq(user.id, document.studentId))
    .where(
      and(
        isOf(agentId),
        sharesPapersWith(agentId),
        eq(document.state, "uploaded"),
        isNull(document.replacedAt),
      ),
    )
    .groupBy(user.id)
    .orderBy(asc(since), asc(user.id))
    .limit(limit);
  const { entries, total: all } = withTotal(rows);
  const inOrder = (kinds: readonly DocumentKind[]) => documentKinds.filter((kind) => kinds.includes(kind));
  return {
    entries: entries.map((entry) => ({
      student: entry.student,
      kinds: inOrder(entry.kinds),
      since: entry.since,
    })),
    total: all,
  };
}

async function applicationsIn(
  db: Reader,
  agentId: string,
  limit: number,
  states: readonly ApplicationState[],
  since?: SQL,
) {
  const rows = await db
    .select({
      student,
      program: application.program,
      id: application.id,
      intake: application.startDate,
      university: application.university,
      year: application.intakeYear,
      state: application.state,
      since: application.updatedAt,
      total,
    })
    .from(application)
    .innerJoin(user, eq(user.id, application.studentId))
    .where(and(isOf(agentId), inArray(application.state, states), since))
    .orderBy(asc(application.updatedAt), asc(application.id))
    .limit(limit);
  return withTotal(rows);
}

async function newlyAssigned(db: Reader, agentId: string, limit: number) {
  const since = sql<Date>`${user.assignedAt}`.mapWith(user.assignedAt);
  const rows = await db
    .select({ student, since, total })
    .from(user)
    .where(and(isOf(agentId), gt(user.assignedAt, ago(newForDays * 24))))
    .orderBy(desc(since), asc(user.id))
    .limit(limit);
  return withTotal(rows);
}

/** Lists the work that waits for an agent, and for the agent's students. */
export async function waitingFor(db: Reader, agentId: string, all: boolean) {
  const limit = all ? waitingLimit.all : waitingLimit.first;
  const isIdle = lt(application.updatedAt, ago(idleAfterHours));
  const [documents, applications, idle, assigned, students] = await Promise.all([
    documentsToReview(db, agentId, limit),
    applicationsIn(db, agentId, limit, statesForAgent),
    applicationsIn(db, agentId, limit, statesElsewhere, isIdle),
    newlyAssigned(db, agentId, limit),
    applicationsIn(db, agentId, limit, statesForStudent),
  ]);
  return { documents, applications, idle, assigned, students };
}
