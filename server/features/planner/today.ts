import { and, asc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { DueEntry, Today } from "#contract/planned-work.ts";
import type { AccountStatus } from "#domain/account.ts";
import { applicationStates } from "#domain/application.ts";
import { isOpen } from "#domain/application-step.ts";
import { deadlineInstant } from "#domain/deadline.ts";
import { documentLabel } from "#domain/document.ts";
import { requestTitle } from "#domain/document-request.ts";
import { daysFrom, localTime } from "#domain/local-time.ts";
import { courseEnd, passportMonths } from "#domain/passport.ts";
import { waitingLimit } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import { namingFields } from "#server/features/applications/queries.ts";
import { application } from "#server/features/applications/tables.ts";
import { sharesPapersWith } from "#server/features/assignments/queries.ts";
import { profile } from "#server/features/profile/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { type DatedItem, hasDeadline, listedItems, timeZoneOf } from "./queries.ts";
import { pause } from "./tables.ts";

/** Days without a step after which an application is quiet. */
const quietDays = 14;
/** Days from today within which a reply to an offer is due soon. */
const replyDays = 7;
/** Days for which a student whose pause has ended is listed. */
const resumedDays = 3;
const openStates = applicationStates.filter(isOpen);

type Viewer = AccountStatus & { userId: string };
type List<Entry> = { entries: Entry[]; total: number };

const total = sql`count(*) over ()`.mapWith(Number);
const withTotal = <Row extends { total: number }>(rows: readonly Row[]) => ({
  entries: rows.map(({ total: _total, ...entry }) => entry),
  total: rows[0]?.total ?? 0,
});

/** Returns what an agent should look at today for their assigned students, or an admin for all students. */
export async function todayOf(db: Reader, viewer: Viewer, all: boolean): Promise<Today> {
  const limit = all ? waitingLimit.all : waitingLimit.first;
  const now = new Date();
  const zone = await timeZoneOf(db, viewer.userId);
  const today = localTime(zone, now).date;
  const endOf = (date: string) => deadlineInstant({ date, time: null, zone });
  const tonight = endOf(today);
  const lastReply = endOf(daysFrom(today, replyDays));
  const [due, review, quiet, passports, paused, resumed] = await Promise.all([
    dueLists(db, viewer, limit, { now, tonight, lastReply }),
    toReview(db, viewer, limit),
    quietApplications(db, viewer, limit),
    shortPassports(db, viewer, limit, now),
    pauses(db, viewer, limit, sql`${pause.endsAt} > now()`),
    pauses(
      db,
      viewer,
      limit,
      sql`${pause.endsAt} <= now() and ${pause.endsAt} > now() - make_interval(days => ${resumedDays})`,
    ),
  ]);
  return { ...due, review, quiet, passports, paused, resumed };
}

const moment = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;

/**
 * Selects rows of the viewer's students by the student id in `column`. The array of ids makes PostgreSQL use the
 * indexes by student, however many rows others have.
 */
const ofStudents = (viewer: Viewer, column: SQL | AnyPgColumn): SQL =>
  viewer.role === "admin"
    ? sql`"user".status = 'active'`
    : sql`"user".status = 'active' and ${column} = any(array(
        select id from "user" own where own.role = 'student' and own.assigned_agent_id = ${viewer.userId}))`;

type Moments = { now: Date; tonight: Date; lastReply: Date };
type DueLists = Record<"overdue" | "dueToday" | "replies", List<DueEntry>>;

/** Lists what is overdue, what else is due today, and the replies to offers that are due soon after. */
async function dueLists(
  db: Reader,
  viewer: Viewer,
  limit: number,
  { now, tonight, lastReply }: Moments,
): Promise<DueLists> {
  const isAdmin = viewer.role === "admin";
  const isOwn = isAdmin ? sql`true` : sql`role = 'student' and assigned_agent_id = ${viewer.userId}`;
  const isListed = isAdmin
    ? sql`(owner <> 'admin' or owner_id = ${viewer.userId})`
    : sql`owner <> 'admin' and student_id = any(array(select id from student))`;
  const lists = await listedItems(db, {
    students: sql`select id, name from "user" where status = 'active' and ${isOwn}`,
    which: sql`${isListed} and due_at <= ${moment(lastReply)} and (due_at <= ${moment(tonight)} or kind = 'offer')`,
    list: sql`case when due_at <= ${moment(now)} then 'overdue' when due_at <= ${moment(tonight)} then 'dueToday'
      else 'replies' end`,
    limit,
  });
  const listOf = (name: keyof DueLists): List<DueEntry> => {
    const things = lists.get(name) ?? [];
    return { entries: things.filter(hasDeadline).map(entryOf), total: things[0]?.total ?? 0 };
  };
  return { overdue: listOf("overdue"), dueToday: listOf("dueToday"), replies: listOf("replies") };
}

const entryOf = (thing: DatedItem): DueEntry => ({
  thing: thing.thing,
  kind: thing.kind,
  student: thing.student,
  applicationId: thing.applicationId,
  document: thing.document,
  title: thing.title,
  owner: thing.owner,
  due: thing.due,
});

/** Lists students with unreviewed files, in their slots or sent on request. */
async function toReview(db: Reader, viewer: Viewer, limit: number) {
  const { rows } = await db.execute<{
    id: string;
    name: string;
    slots: (keyof typeof documentLabel)[];
    papers: string[];
    since: string;
    total: string;
  }>(sql`
    select "user".id, "user".name, coalesce(array_agg(kind) filter (where kind <> 'other'), '{}') as slots,
      coalesce(array_agg(paper) filter (where kind = 'other'), '{}') as papers,
      min(since)::text as since, count(*) over () as total
    from (
      select student_id, kind, '' as paper, uploaded_at as since from document
      where state = 'uploaded' and replaced_at is null
      union all
      select student_id, kind, name, supplied_at from request where state = 'supplied' and kind = 'other'
    ) sent join "user" on "user".id = student_id
    where ${ofStudents(viewer, sql`student_id`)} and ${sharesPapersWith(viewer.userId)}
    group by "user".id order by min(since), "user".id limit ${limit}`);
  return {
    entries: rows.map(({ id, name, slots, papers, since }) => ({
      student: { id, name },
      documents: [
        ...slots.map((kind) => documentLabel[kind]),
        ...papers.map((paper) => requestTitle({ kind: "other", name: paper })),
      ],
      since: new Date(since),
    })),
    total: Number(rows[0]?.total ?? 0),
  };
}

async function quietApplications(db: Reader, viewer: Viewer, limit: number) {
  const rows = await db
    .select({
      applicationId: application.id,
      student: { id: user.id, name: user.name },
      ...namingFields,
      state: application.state,
      since: application.updatedAt,
      total,
    })
    .from(application)
    .innerJoin(user, eq(user.id, application.studentId))
    .where(
      and(
        ofStudents(viewer, application.studentId),
        inArray(application.state, openStates),
        lt(application.updatedAt, sql`now() - make_interval(days => ${quietDays})`),
      ),
    )
    .orderBy(asc(application.updatedAt), asc(application.id))
    .limit(limit);
  return withTotal(rows);
}

/**
 * Lists open applications of students whose passport ends less than six months after the course. The course ends a year
 * after the intake, or after the next one if no year is given.
 */
async function shortPassports(db: Reader, viewer: Viewer, limit: number, now: Date) {
  const ends = courseEnd(now);
  const ending = sql.join(
    Object.entries(ends).map(
      ([intake, day]) =>
        sql`(${application.startDate} = ${intake} and ${profile.passportExpiry} <
          coalesce(make_date(${application.intakeYear} + 1, extract(month from ${day}::date)::int, 1), ${day}::date)
            + make_interval(months => ${passportMonths}))`,
    ),
    sql` or `,
  );
  const rows = await db
    .select({
      applicationId: application.id,
      student: { id: user.id, name: user.name },
      ...namingFields,
      total,
    })
    .from(application)
    .innerJoin(user, eq(user.id, application.studentId))
    .innerJoin(profile, eq(profile.userId, user.id))
    .where(
      and(
        ofStudents(viewer, application.studentId),
        sharesPapersWith(viewer.userId),
        inArray(application.state, openStates),
        sql`(${ending})`,
      ),
    )
    .orderBy(asc(profile.passportExpiry), asc(application.id))
    .limit(limit);
  return withTotal(rows);
}

async function pauses(db: Reader, viewer: Viewer, limit: number, when: SQL) {
  const rows = await db
    .select({ student: { id: user.id, name: user.name }, lastDay: pause.until, total })
    .from(pause)
    .innerJoin(user, eq(user.id, pause.studentId))
    .where(and(ofStudents(viewer, pause.studentId), when))
    .orderBy(asc(pause.endsAt), asc(user.id))
    .limit(limit);
  return withTotal(rows);
}
