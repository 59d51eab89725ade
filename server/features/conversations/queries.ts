import { and, eq, gte, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { OpenedThread, Thread } from "#contract/conversations.ts";
import { type AccountStatus, hasAccess } from "#domain/account.ts";
import { type ConversationFilter, messageLimits, type Side, sideOf } from "#domain/conversation.ts";
import { isUuid } from "#domain/uuid.ts";
import { mostUnread, threadsPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import { namingFields } from "#server/features/applications/queries.ts";
import { application } from "#server/features/applications/tables.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import {
  ascending,
  type Cursor,
  cursorForm,
  descending,
  paginate,
  writeCursor,
} from "#server/platform/keyset-list.ts";
import { Refusal } from "#server/refusal.ts";
import { holderOf, requireParticipation } from "./participation.ts";
import { message, thread, threadReader } from "./tables.ts";
import { joinReader, stateIn, unreadMessages } from "./unread-messages.ts";

const student = alias(user, "student");
const agent = alias(user, "agent");
const last = alias(message, "last");
/** Joins the assigned agent if they can answer: a disabled agent keeps their students for some days. */
const answering = and(eq(agent.id, student.assignedAgentId), eq(agent.status, "approved"));

const fields = (userId: string) => ({
  id: thread.id,
  student: { id: student.id, name: student.name },
  application: {
    id: application.id,
    ...namingFields,
    state: application.state,
  },
  lastNumber: thread.lastNumber,
  lastAt: thread.lastAt,
  waiting: thread.waiting,
  waitingSince: thread.waitingSince,
  readUpTo: sql<number>`coalesce(${threadReader.readUpTo}, 0)`,
  markedFrom: threadReader.markedFrom,
  unread: sql<number>`(select count(*)::int from (${unreadMessages(userId)} limit ${mostUnread + 1}) unread)`,
  last: {
    side: last.side,
    mine: sql<boolean>`${last.authorId} = ${userId}`,
    state: stateIn(last),
    preview: sql<string>`left(${last.text}, ${messageLimits.preview})`,
    files: sql<number>`(select count(*)::int from message_file f
      where f.thread_id = ${thread.id} and f.number = ${thread.lastNumber})`,
  },
});

/** Reads threads from a user's point of view, with the columns that decide who takes part. */
const threadsAs = (db: Reader, userId: string) =>
  db
    .select({ ...fields(userId), status: student.status, agent: { id: agent.id, name: agent.name } })
    .from(thread)
    .innerJoin(student, eq(student.id, thread.studentId))
    .innerJoin(last, and(eq(last.threadId, thread.id), eq(last.number, thread.lastNumber)))
    .leftJoin(application, eq(application.id, thread.applicationId))
    .leftJoin(agent, answering)
    .leftJoin(threadReader, joinReader(userId));

const threadIn = ({
  status: _status,
  agent: _agent,
  ...row
}: Awaited<ReturnType<typeof threadsAs>>[number]): Thread => row;

/** Selects the threads of the viewer's list, in a query of `thread` and `student`. */
function ownThreads({ userId, role }: Session): SQL | undefined {
  if (role === "admin") return undefined;
  return role === "student"
    ? eq(thread.studentId, userId)
    : and(eq(student.role, "student"), eq(student.assignedAgentId, userId));
}

/** Selects threads that wait for a side. The worklists of staff have indexes of their own. */
const waitsFor = (side: Side) =>
  side === "staff" ? sql`${thread.waiting} = 'staff'` : eq(thread.waiting, side);

/** Selects threads with unread messages. For an admin, only those of students without an agent who can answer. */
const unreadThreads = ({ userId, role }: Session): SQL | undefined =>
  and(
    sql`${thread.lastNumber} > coalesce(${threadReader.readUpTo}, 0)`,
    sql`exists (${unreadMessages(userId)})`,
    role === "admin"
      ? sql`not exists (select from "user" agent where agent.id = ${student.assignedAgentId} and agent.status = 'approved')`
      : undefined,
  );

const conditions: Record<ConversationFilter, (viewer: Session) => SQL | undefined> = {
  all: () => undefined,
  waiting: (viewer) => waitsFor(sideOf(viewer)),
  unread: unreadThreads,
};

export const threadCursor = cursorForm("time", "uuid");

export type ThreadQuery = {
  filter: ConversationFilter;
  studentId?: string | undefined;
  cursor: Cursor | null;
  limit?: number | undefined;
};

/** Lists a page of the viewer's threads. One statement decides which are theirs and reads them. */
export async function listThreads(
  db: Reader,
  viewer: Session,
  { filter, studentId, cursor, limit }: ThreadQuery,
) {
  const { userId } = viewer;
  const order =
    filter === "waiting" ? ascending(thread.waitingSince, thread.id) : descending(thread.lastAt, thread.id);
  const size = limit ?? threadsPerPage;
  const page = db
    .select({ id: thread.id })
    .from(thread)
    .innerJoin(student, eq(student.id, thread.studentId))
    .leftJoin(threadReader, joinReader(userId))
    .where(
      and(
        ownThreads(viewer),
        conditions[filter](viewer),
        studentId === undefined ? undefined : eq(thread.studentId, studentId),
        order.after(cursor),
      ),
    )
    .orderBy(...order.by)
    .limit(size + 1);
  const candidates = await threadsAs(db, userId)
    .where(inArray(thread.id, page))
    .orderBy(...order.by);
  const { rows, next } = paginate(candidates, size, ({ id, lastAt, waitingSince }) =>
    writeCursor([filter === "waiting" ? (waitingSince ?? lastAt) : lastAt, id]),
  );
  return { threads: rows.map(threadIn), next };
}

/** Counts the viewer's unread and waiting threads, each up to one more than the menu shows. */
export async function countThreads(
  db: Reader,
  viewer: Session,
): Promise<{ unread: number; waiting: number }> {
  const countOf = (condition: SQL | undefined) =>
    db.select({ count: sql<number>`count(*)::int` }).from(
      db
        .select({ one: sql`1`.as("one") })
        .from(thread)
        .innerJoin(student, eq(student.id, thread.studentId))
        .leftJoin(threadReader, joinReader(viewer.userId))
        .where(and(ownThreads(viewer), condition))
        .limit(mostUnread + 1)
        .as("some"),
    );
  const [unread] = await countOf(unreadThreads(viewer));
  const [waiting] = await countOf(waitsFor(sideOf(viewer)));
  return { unread: unread?.count ?? 0, waiting: waiting?.count ?? 0 };
}

/** Returns the thread that waits longest for its student's answer; null when none does. */
export async function threadToAnswer(db: Reader, studentId: string) {
  const [row] = await db
    .select({
      threadId: thread.id,
      application: namingFields,
    })
    .from(thread)
    .leftJoin(application, eq(application.id, thread.applicationId))
    .where(and(eq(thread.studentId, studentId), waitsFor("student")))
    .orderBy(thread.waitingSince, thread.id)
    .limit(1);
  return row ?? null;
}

const isReachable = (status: AccountStatus["status"]): boolean => hasAccess({ role: "student", status });

/** Returns a thread to a participant; refuses other users. */
export async function openThread(db: Reader, viewer: Session, threadId: string): Promise<OpenedThread> {
  const [row] = isUuid(threadId) ? await threadsAs(db, viewer.userId).where(eq(thread.id, threadId)) : [];
  requireParticipation(
    holderOf(viewer),
    row ? { id: row.student.id, assignedAgentId: row.agent?.id ?? null } : null,
  );
  if (!row) throw new Refusal("not-found");
  return {
    thread: threadIn(row),
    student: { ...row.student, reachable: isReachable(row.status) },
    application: row.application,
    agent: row.agent,
  };
}

/** Returns the thread about an application, or a student's general one, which may not have begun yet. */
export async function openByStudent(
  db: Reader,
  viewer: Session,
  studentId: string,
  applicationId: string | null,
): Promise<OpenedThread> {
  const [row] = await db
    .select({
      student: { id: student.id, name: student.name, status: student.status },
      agent: { id: agent.id, name: agent.name },
      application: {
        id: application.id,
        ...namingFields,
        state: application.state,
      },
      threadId: thread.id,
    })
    .from(student)
    .leftJoin(agent, answering)
    .leftJoin(
      application,
      and(eq(application.studentId, student.id), eq(application.id, applicationId ?? "")),
    )
    .leftJoin(
      thread,
      and(
        eq(thread.studentId, student.id),
        sql`${thread.applicationId} is not distinct from ${applicationId}`,
      ),
    )
    .where(and(eq(student.id, studentId), eq(student.role, "student")));
  requireParticipation(
    holderOf(viewer),
    row ? { id: row.student.id, assignedAgentId: row.agent?.id ?? null } : null,
  );
  if (!row || (applicationId !== null && row.application === null)) throw new Refusal("not-found");
  if (row.threadId !== null) return await openThread(db, viewer, row.threadId);
  const { id, name, status } = row.student;
  return {
    thread: null,
    student: { id, name, reachable: isReachable(status) },
    application: row.application,
    agent: row.agent,
  };
}

/** Whether an author has written to a student since a time. */
export async function hasWrittenSince(
  db: Reader,
  authorId: string,
  studentId: string,
  since: Date,
): Promise<boolean> {
  const [row] = await db
    .select({ number: message.number })
    .from(message)
    .innerJoin(thread, eq(thread.id, message.threadId))
    .where(and(eq(thread.studentId, studentId), eq(message.authorId, authorId), gte(message.at, since)))
    .limit(1);
  return row !== undefined;
}
