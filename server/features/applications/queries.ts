import { and, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Application, TimelineStep } from "#contract/applications.ts";
import type { AccountStatus } from "#domain/account.ts";
import { type ApplicationState, applicationLimits } from "#domain/application.ts";
import { moverOf } from "#domain/application-step.ts";
import { stepsPerPage } from "#protocol/page-sizes.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import type { Reader } from "#server/platform/database.ts";
import { paginate } from "#server/platform/keyset-list.ts";
import { user } from "../account/tables.ts";
import { programme } from "../programmes/tables.ts";
import { application, applicationStep } from "./tables.ts";

/** The table is named in full: inside the subquery, a bare `id` would be the step's own. */
const lastNote = sql<string>`coalesce((
  select ${applicationStep.note} from ${applicationStep}
  where ${applicationStep.applicationId} = "application"."id"
  order by ${applicationStep.id} desc limit 1), '')`;

/** Columns that distinguish the applications of a student. */
export const namingFields = {
  program: application.program,
  university: application.university,
  startDate: application.startDate,
  year: application.intakeYear,
};

const fields = {
  id: application.id,
  ...namingFields,
  programme: { id: programme.id, slug: programme.slug },
  intakeId: application.intakeId,
  highestStudyLevel: application.highestStudyLevel,
  countries: application.countryCodes,
  additionalInfo: application.additionalInfo,
  state: application.state,
  note: lastNote,
  version: application.version,
  createdAt: application.createdAt,
  updatedAt: application.updatedAt,
};

/** Lists all applications of a student, newest first. */
export async function applicationsOf(db: Reader, studentId: string): Promise<Application[]> {
  return await db
    .select(fields)
    .from(application)
    .leftJoin(programme, eq(programme.id, application.programmeId))
    .where(eq(application.studentId, studentId))
    .orderBy(desc(application.createdAt), desc(application.id))
    .limit(applicationLimits.perStudent);
}

/** Returns the students' applications by student id: those that meet the condition first, then the latest. */
export async function applicationsOfStudents(db: Reader, ids: string[], first: SQL = sql`false`) {
  const rows = await db
    .select({
      studentId: application.studentId,
      ...namingFields,
      state: application.state,
    })
    .from(application)
    .where(sql`${application.studentId} = any(${sql.param(ids)})`)
    .orderBy(desc(sql`((${first}) is true)`), desc(application.updatedAt), desc(application.id));
  const byStudent = Map.groupBy(rows, ({ studentId }) => studentId);
  return new Map(
    byStudent
      .entries()
      .map(
        ([id, applications]) => [id, applications.map(({ studentId: _studentId, ...rest }) => rest)] as const,
      ),
  );
}

export async function applicationById(db: Reader, id: string): Promise<Application | null> {
  const [row] = await db
    .select(fields)
    .from(application)
    .leftJoin(programme, eq(programme.id, application.programmeId))
    .where(eq(application.id, id));
  return row ?? null;
}

/** Returns the state before an application's last step. A change of its offer is not a step to another state. */
export async function lastStateBefore(db: Reader, applicationId: string): Promise<ApplicationState | null> {
  const [row] = await db
    .select({ from: applicationStep.from })
    .from(applicationStep)
    .where(
      and(
        eq(applicationStep.applicationId, applicationId),
        sql`${applicationStep.from} is distinct from ${applicationStep.to}`,
      ),
    )
    .orderBy(desc(applicationStep.id))
    .limit(1);
  return row?.from ?? null;
}

/** Returns the id of an application's student; null when there is no such application. */
export async function studentOf(db: Reader, applicationId: string): Promise<string | null> {
  const [row] = await db
    .select({ studentId: application.studentId })
    .from(application)
    .where(eq(application.id, applicationId));
  return row?.studentId ?? null;
}

/** Maps the applications that a viewer may watch (their own, and those they may move) to their students' ids. */
export async function studentsOfWatchable(
  db: Reader,
  viewer: AccountStatus & { userId: string },
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: application.id, student: { id: user.id, assignedAgentId: user.assignedAgentId } })
    .from(application)
    .innerJoin(user, eq(user.id, application.studentId))
    .where(inArray(application.id, [...ids]));
  const mover = { ...viewer, id: viewer.userId };
  return new Map(
    rows.flatMap(({ id, student }) => (moverOf(mover, student) === null ? [] : [[id, student.id] as const])),
  );
}

/** Lists a page of an application's steps, newest first. Admins appear by their role only. */
export async function stepsOf(
  db: Reader,
  applicationId: string,
  before: number | null,
  limit = stepsPerPage,
) {
  const candidates = await db
    .select({
      id: applicationStep.id,
      at: applicationStep.at,
      from: applicationStep.from,
      to: applicationStep.to,
      note: applicationStep.note,
      role: user.role,
      name: user.name,
    })
    .from(applicationStep)
    .leftJoin(user, eq(user.id, applicationStep.actorId))
    .where(
      and(
        eq(applicationStep.applicationId, applicationId),
        before === null ? undefined : lt(applicationStep.id, before),
      ),
    )
    .orderBy(desc(applicationStep.id))
    .limit(stepsPerPage + 1);
  const { rows, next } = paginate(candidates, limit, ({ id }) => id);
  const steps = rows.map(
    ({ id, at, from, to, note, role, name }): TimelineStep => ({
      id,
      at,
      from,
      to,
      note,
      by: role === null ? null : { role, name: role === "admin" ? "" : (name ?? "") },
    }),
  );
  return { steps, next };
}

/** Keeps an application's notifications until its next step, for its student and the student's current agent. */
export const currentSteps: NotificationCheck<"applicationMoved"> = async (db, notifications) => {
  const ids = notifications.flatMap((each) => each.ids?.applicationId ?? []);
  const rows = await db
    .select({
      id: application.id,
      state: application.state,
      studentId: user.id,
      agentId: user.assignedAgentId,
    })
    .from(application)
    .innerJoin(user, eq(user.id, application.studentId))
    .where(sql`${application.id} = any(${sql.param(ids)}::text[])`);
  const applications = new Map(rows.map((row) => [row.id, row]));
  return notifications.filter(({ ids: about, about: { state }, userId }) => {
    if (!about?.applicationId) return true;
    const row = applications.get(about.applicationId);
    return row && row.state === state && (userId === row.studentId || userId === row.agentId);
  });
};
