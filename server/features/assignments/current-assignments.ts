import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { numberOfStudents } from "#domain/student-list.ts";
import { user } from "#server/features/account/tables.ts";
import type {
  MailedNotification,
  NotificationCheck,
} from "#server/features/notifications/current-notifications.ts";
import type { Reader } from "#server/platform/database.ts";
import { studentColumns } from "./queries.ts";

const isStudent = eq(user.role, "student");

/** Returns the current agents of students, by student id. */
async function agentsOf(db: Reader, studentIds: readonly string[]): Promise<Map<string, string | null>> {
  const students = await db
    .select({ id: user.id, agentId: user.assignedAgentId })
    .from(user)
    .where(and(isStudent, sql`${user.id} = any(${sql.param([...studentIds])}::text[])`));
  return new Map(students.map(({ id, agentId }) => [id, agentId]));
}

type CountedNotification = MailedNotification<"studentAssigned" | "studentsLeft">;

/** Lowers the number of students in a notification to those that remain; drops the notification if none do. */
function withAtMost<Counted extends CountedNotification>(notification: Counted, students: number): Counted[] {
  const announced = Number.parseInt(notification.about.students ?? "", 10);
  if (students === 0) return [];
  return [
    {
      ...notification,
      about: { ...notification.about, students: numberOfStudents(Math.min(announced, students)) },
    },
  ];
}

/**
 * Keeps the notification of a new student while the agent still has them. That of a hand-over contains only the number
 * of students.
 */
export const currentStudents: NotificationCheck<"studentAssigned"> = async (db, notifications) => {
  const agents = await agentsOf(db, studentsIn(notifications));
  const [first] = notifications;
  const mine = first ? await db.$count(user, and(isStudent, eq(user.assignedAgentId, first.userId))) : 0;
  return notifications.flatMap((each) => {
    if (each.about.students !== undefined) return withAtMost(each, mine);
    const studentId = each.ids?.studentId;
    return studentId === undefined || agents.get(studentId) === each.userId ? [each] : [];
  });
};

/**
 * Keeps the notification of a student who has left the agent. Names their next agent only while they still have that
 * one.
 */
export const departedStudents: NotificationCheck<"studentReassigned"> = async (db, notifications) => {
  const agents = await agentsOf(db, studentsIn(notifications));
  return notifications.flatMap((each): MailedNotification[] => {
    const studentId = each.ids?.studentId;
    if (studentId === undefined) return [each];
    const agentId = agents.get(studentId) ?? null;
    if (agentId === each.userId || !agents.has(studentId)) return [];
    return [agentId === each.agentId ? each : withoutAgent(each)];
  });
};

function withoutAgent(notification: MailedNotification): MailedNotification {
  const { agent: _gone, ...about } = notification.about;
  return { ...notification, about };
}

const studentsIn = (notifications: readonly MailedNotification[]) =>
  notifications.flatMap(({ ids }) => ids?.studentId ?? []);

/** Updates the number of students without an agent, and omits the name of an agent who was approved again. */
export const studentsWithoutAgent: NotificationCheck<"studentsLeft"> = async (db, notifications) => {
  const students = await db.$count(user, and(isStudent, isNull(user.assignedAgentId)));
  const ids = notifications.flatMap(({ agentId }) => agentId ?? []);
  const approved = await db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.status, "approved"), sql`${user.id} = any(${sql.param(ids)}::text[])`));
  const isBack = (agentId: string | null) => approved.some(({ id }) => id === agentId);
  return notifications
    .flatMap((each) => withAtMost(each, students))
    .map((each) => (isBack(each.agentId) ? withoutAgent(each) : each));
};

/**
 * Keeps the notification of an assigned agent while the student has that one, and of a lost agent while they have none.
 */
export const currentAgent: NotificationCheck<"agentAssigned" | "agentLost"> = async (db, notifications) => {
  const agents = await agentsOf(
    db,
    notifications.map(({ userId }) => userId),
  );
  return notifications.filter(({ kind, userId, agentId }) => {
    const present = agents.get(userId) ?? null;
    return kind === "agentLost" ? present === null : agentId === null || present === agentId;
  });
};

/** Keeps the notification of a student's sharing while it is still true, for their current agent. */
export const currentSharing: NotificationCheck<"sharingChanged"> = async (db, notifications) => {
  const rows = await db
    .select(studentColumns)
    .from(user)
    .where(and(isStudent, sql`${user.id} = any(${sql.param(studentsIn(notifications))}::text[])`));
  const students = new Map(rows.map((row) => [row.id, row]));
  return notifications.filter(({ ids, about, userId }) => {
    const student = students.get(ids?.studentId ?? "");
    if (student?.assignedAgentId !== userId) return false;
    return (student.sharingStoppedAt === null) === (about.sharing === "resumed");
  });
};

const agent = alias(user, "agent");

/**
 * Keeps the notification of an agent who is closing their account while they are, and still have students to hand over.
 */
export const leavingAgents: NotificationCheck<"agentLeaving"> = async (db, notifications) => {
  const ids = notifications.flatMap(({ agentId }) => agentId ?? []);
  const leaving = await db
    .selectDistinct({ id: agent.id })
    .from(user)
    .innerJoin(agent, eq(agent.id, user.assignedAgentId))
    .where(and(eq(agent.status, "leaving"), sql`${agent.id} = any(${sql.param(ids)}::text[])`));
  return notifications.filter(({ agentId }) => leaving.some(({ id }) => id === agentId));
};
