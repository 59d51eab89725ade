import { and, asc, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { applicationNames } from "#contract/applications.ts";
import type { DocumentRequest, DueThing, Task } from "#contract/planned-work.ts";
import { applicationName, type NamedApplication } from "#domain/application-notification.ts";
import { moverOf } from "#domain/application-step.ts";
import { type Deadline, deadlineOwners, unknownZone } from "#domain/deadline.ts";
import { isWanted, requestKinds, requestLimits, requestTitle } from "#domain/document-request.ts";
import type { EnteredBy } from "#domain/on-behalf.ts";
import { maySeeIdentity } from "#domain/permission.ts";
import { taskLimits, taskOwners } from "#domain/task.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { studentById } from "#server/features/assignments/queries.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { enteredBy, entry, uploader } from "#server/features/files/uploaded-by.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { deadlineOf } from "./deadline-columns.ts";
import { mutedThing, pause, request, task } from "./tables.ts";

/** Returns a user's time zone, as set by them or their browser. */
export async function timeZoneOf(db: Reader, userId: string): Promise<string> {
  const [row] = await db.select({ zone: user.timeZone }).from(user).where(eq(user.id, userId));
  return row?.zone ?? unknownZone;
}

/** Returns the time zones of several people, null for those who have none yet. */
export async function zonesOf(db: Reader, userIds: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await db
    .select({ id: user.id, zone: user.timeZone })
    .from(user)
    .where(sql`${user.id} = any(${sql.param([...userIds])}::text[])`);
  return new Map(rows.map(({ id, zone }) => [id, zone]));
}

/**
 * Refuses callers who may not see a student's requests and tasks under the current assignment. Returns whether they may
 * see the papers too.
 */
export async function requirePlanAccess(db: Reader, session: Session, studentId: string): Promise<boolean> {
  const student = await studentById(db, studentId);
  const viewer = { ...session, id: session.userId };
  if (student === null || moverOf(viewer, student) === null) throw new Refusal("not-found");
  return maySeeIdentity(viewer, student);
}

/** Whether an application, if there is one, is the student's. */
export async function isApplicationOf(
  db: Reader,
  applicationId: string | null,
  studentId: string,
): Promise<boolean> {
  if (applicationId === null) return true;
  const ownApplication = and(eq(application.id, applicationId), eq(application.studentId, studentId));
  return (await db.$count(application, ownApplication)) > 0;
}

/** Lists a student's requests: open ones by their deadline, then the others, newest first. */
async function requestsOf(db: Reader, studentId: string): Promise<DocumentRequest[]> {
  const isOpen = sql`${request.state} in ('asked', 'sentBack', 'supplied')`;
  const rows = await db
    .select({ row: request, entry })
    .from(request)
    .leftJoin(storedFile, eq(storedFile.key, request.storageKey))
    .leftJoin(uploader, eq(uploader.id, storedFile.uploadedBy))
    .where(eq(request.studentId, studentId))
    .orderBy(
      desc(isOpen),
      sql`case when ${isOpen} then ${request.dueAt} end asc nulls last`,
      desc(request.createdAt),
      asc(request.id),
    )
    .limit(requestLimits.perStudent);
  return rows.map(({ row, entry: by }) => ({
    id: row.id,
    applicationId: row.applicationId,
    kind: row.kind,
    name: row.name,
    reason: row.reason,
    blocks: row.blocks,
    state: row.state,
    note: row.note,
    due: deadlineOf(row),
    file: fileOf(row, enteredBy(by)),
    suppliedAt: row.suppliedAt,
    version: row.version,
    createdAt: row.createdAt,
  }));
}

/** Returns a request's own file; null while another is wanted, because it will be replaced. */
function fileOf({ state, originalName, mediaType, size }: typeof request.$inferSelect, by: EnteredBy | null) {
  if (originalName === null || mediaType === null || size === null || isWanted(state)) return null;
  return { name: originalName, type: mediaType, size, enteredBy: by };
}

/** Lists a student's tasks: open ones by their deadline, then the others, newest first. */
async function tasksOf(db: Reader, studentId: string, owner?: "student"): Promise<Task[]> {
  const isOpen = sql`${task.state} = 'open'`;
  const rows = await db
    .select()
    .from(task)
    .where(and(eq(task.studentId, studentId), owner && eq(task.owner, owner)))
    .orderBy(
      desc(isOpen),
      sql`case when ${isOpen} then ${task.dueAt} end asc nulls last`,
      desc(task.createdAt),
      asc(task.id),
    )
    .limit(taskLimits.perStudent);
  return rows.map((row) => ({
    id: row.id,
    applicationId: row.applicationId,
    title: row.title,
    text: row.text,
    owner: row.owner,
    state: row.state,
    note: row.note,
    due: deadlineOf(row),
    version: row.version,
    createdAt: row.createdAt,
  }));
}

/** Returns a student's requests and tasks. The student sees no tasks of others. */
export async function planOf(db: Reader, studentId: string, viewerId: string) {
  const [requests, tasks, pauses, timeZone] = await Promise.all([
    requestsOf(db, studentId),
    tasksOf(db, studentId, viewerId === studentId ? "student" : undefined),
    db
      .select({ until: pause.until })
      .from(pause)
      .where(and(eq(pause.studentId, studentId), gt(pause.endsAt, sql`now()`))),
    timeZoneOf(db, studentId),
  ]);
  return { requests, tasks, pausedUntil: pauses[0]?.until ?? null, timeZone };
}

type TitledRow = {
  kind: string;
  document: DocumentRequest["kind"] | null;
  title: string;
  application: NamedApplication | null;
};

/** Returns the title of a thing to do. Replies to offers and deposits are named after their application. */
function titleOf({ kind, document, title, application }: TitledRow): string {
  if (document !== null) return requestTitle({ kind: document, name: title });
  if (kind === "offer" && application) return `Reply to the offer: ${applicationName(application)}`;
  if (kind === "deposit" && application) return `Deposit: ${applicationName(application)}`;
  return title;
}

/** A row of the view `due_thing`, which lists everything that is still to do. */
const dueRow = z
  .object({
    thing: z.string(),
    kind: z.string(),
    id: z.string(),
    student_id: z.string(),
    student: z.string(),
    application_id: z.string().nullable(),
    application: z.object(applicationNames).nullable(),
    document: z.enum(requestKinds).nullable(),
    title: z.string(),
    owner: z.enum(taskOwners),
    owner_id: z.string().nullable(),
    due_date: z.string().nullable(),
    due_time: z.string().nullable(),
    due_zone: z.string().nullable(),
    due_whose: z.enum(deadlineOwners).nullable(),
    due_hard: z.boolean().nullable(),
    due_at: z.coerce.date().nullable(),
    total: z.coerce.number(),
  })
  .transform((row) => ({
    thing: row.thing,
    kind: row.kind,
    id: row.id,
    student: { id: row.student_id, name: row.student },
    applicationId: row.application_id,
    application: row.application,
    document: row.document,
    title: titleOf(row),
    owner: row.owner,
    ownerId: row.owner_id,
    due: deadlineOf({
      dueDate: row.due_date,
      dueTime: row.due_time,
      dueZone: row.due_zone,
      dueWhose: row.due_whose,
      dueHard: row.due_hard,
      dueAt: row.due_at,
    }),
    total: row.total,
  }));
export type OpenItem = z.infer<typeof dueRow>;
export type DatedItem = OpenItem & { due: Deadline & { at: Date } };

const namesOfApplication = sql`
  (select json_build_object('program', program, 'university', university, 'startDate', start_date, 'year', intake_year)
    from application where application.id = application_id)`;

/** Returns what is still to do, earliest deadline first. `total` ignores the limit. */
export async function readOpenItems(db: Reader, which: SQL, limit: number): Promise<OpenItem[]> {
  const { rows } = await db.execute(sql`
    select thing, kind, due_thing.id, student_id, student.name as student, application_id, document, title, owner,
      ${namesOfApplication} as application,
      owner_id, due_date::text, due_time, due_zone, due_whose, due_hard, due_at::text, count(*) over () as total
    from due_thing join "user" student on student.id = student_id
    where ${which} order by due_thing.due_at nulls last, due_thing.created_at, thing limit ${limit}`);
  return z.array(dueRow).parse(rows);
}

/** Returns those of the named things that are still to do. Selects by id too, for the tables' indexes. */
export async function itemsByName(db: Reader, names: readonly string[]): Promise<OpenItem[]> {
  const ids = names.map((name) => name.slice(name.indexOf(":") + 1));
  const which = sql`due_thing.id = any(${sql.param(ids)}::text[]) and thing = any(${sql.param([...names])}::text[])`;
  return await readOpenItems(db, which, names.length);
}

/**
 * `students` selects the ids and names of the students to include, which `which` may refer to as `student`. `list`
 * yields the name of a thing's list.
 */
type ListedThings = { students: SQL; which: SQL; list: SQL; limit: number };

/** Groups what is still to do into lists with one query. `limit` and `total` apply to each list. */
export async function listedItems(
  db: Reader,
  { students, which, list, limit }: ListedThings,
): Promise<Map<string, OpenItem[]>> {
  const { rows } = await db.execute<{ list: string }>(sql`
    with student as (${students}),
    listed as (
      select due_thing.*, student.name as student, ${list} as list
      from due_thing join student on student.id = student_id where ${which}),
    placed as (
      select *, count(*) over (partition by list) as total,
        row_number() over (partition by list order by due_at, created_at, thing) as place from listed)
    select list, thing, kind, id, student_id, student, application_id, document, title, owner,
      ${namesOfApplication} as application,
      owner_id, due_date::text, due_time, due_zone, due_whose, due_hard, due_at::text, total
    from placed where place <= ${limit} order by place`);
  const lists = Map.groupBy(rows, (row) => row.list);
  return new Map([...lists].map(([name, things]) => [name, z.array(dueRow).parse(things)]));
}

export const hasDeadline = (thing: OpenItem): thing is DatedItem => thing.due !== null;

/** Returns everything that a student still has to do. */
export async function dueThingsOf(db: Reader, studentId: string): Promise<DueThing[]> {
  const ownThings = sql`student_id = ${studentId} and owner = 'student'`;
  const things = await readOpenItems(db, ownThings, requestLimits.perStudent + taskLimits.perStudent);
  const [muted, requests, tasks] = await Promise.all([
    db.select({ thing: mutedThing.thing }).from(mutedThing).where(eq(mutedThing.userId, studentId)),
    db
      .select({ id: request.id, version: request.version, text: request.reason, note: request.note })
      .from(request)
      .where(and(eq(request.studentId, studentId), sql`${request.state} in ('asked', 'sentBack')`)),
    db
      .select({ id: task.id, version: task.version, text: task.text, note: task.note })
      .from(task)
      .where(and(eq(task.studentId, studentId), eq(task.state, "open"))),
  ]);
  const isMuted = new Set(muted.map(({ thing }) => thing));
  const rows = new Map([...requests, ...tasks].map((row) => [row.id, row]));
  return things.map(({ thing, kind, id, applicationId, application, document, title, due }) => ({
    thing,
    kind,
    id,
    applicationId,
    application,
    document,
    title,
    text: rows.get(id)?.note || (rows.get(id)?.text ?? ""),
    again: Boolean(rows.get(id)?.note),
    due,
    version: rows.get(id)?.version ?? 1,
    muted: isMuted.has(thing),
  }));
}
