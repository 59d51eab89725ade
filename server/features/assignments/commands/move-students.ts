import { randomUUID } from "node:crypto";
import { and, asc, eq, exists, inArray, isNull, lt, or } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { decideHandOver } from "#domain/assignment.ts";
import { studentsLeaveBefore } from "#domain/disabling.ts";
import { isAdmin } from "#domain/permission.ts";
import { numberOfStudents } from "#domain/student-list.ts";
import type { LostAccount } from "#server/features/account/events.ts";
import { activeAdmins, lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { type FurtherWork, type NamedAgent, notificationsToStudent } from "./assign-agent.ts";
import { closeRequests } from "./open-requests.ts";

/** Rows that one statement writes: PostgreSQL takes 65,535 values at most. */
const batchSize = 1000;

/** `toAgentId` is null to leave the students without an agent. */
type HandOver = { fromAgentId: string; toAgentId: string | null };

/** Gives all of an agent's students to another agent, or leaves them without one. Resolves to how many there were. */
export async function handOverStudents(
  services: Services,
  actor: Actor,
  { fromAgentId, toAgentId }: HandOver,
  alongside?: FurtherWork,
): Promise<number> {
  return await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const agents = await lockAgents(tx, [fromAgentId, ...(toAgentId === null ? [] : [toAgentId])]);
    const from = agents.find(({ id }) => id === fromAgentId);
    const to = agents.find(({ id }) => id === toAgentId) ?? null;
    if (!from) throw new Refusal("not-found");
    if (decideHandOver(fromAgentId, toAgentId, to) === "conflict") throw Refusal.conflict();
    const students = await moveStudents(services, tx, actor, from, to, alongside);
    await services.live.publish("agents", "{}", tx);
    return students;
  });
}

/** Locks agents in a fixed order, so that concurrent hand-overs in opposite directions can't deadlock. */
async function lockAgents(tx: Transaction, ids: string[]) {
  return await tx
    .select({ id: user.id, name: user.name, role: user.role, status: user.status })
    .from(user)
    .where(and(inArray(user.id, ids), eq(user.role, "agent")))
    .orderBy(asc(user.id))
    .for("no key update");
}

/**
 * Leaves an agent's students without an agent when the agent's account is lost, unless the agent keeps them for now.
 */
export async function releaseStudentsOfLost(
  services: Services,
  tx: Transaction,
  { actor, keepsStudents, ...agent }: LostAccount,
): Promise<void> {
  if (!keepsStudents) await moveStudents(services, tx, actor, agent, null);
}

const student = alias(user, "student");

/**
 * Releases the students of agents who have been disabled or leaving for too long. Each agent has a transaction of its
 * own, so after a crash the next night finds the others.
 */
export async function releaseOverdueStudents(services: Services, now = new Date()): Promise<void> {
  const { db, transaction } = services.database;
  const due = and(
    eq(user.role, "agent"),
    inArray(user.status, ["disabled", "leaving"]),
    or(isNull(user.disabledAt), lt(user.disabledAt, studentsLeaveBefore(now))),
  );
  const studentsOfAgent = db
    .select({ id: student.id })
    .from(student)
    .where(eq(student.assignedAgentId, user.id));
  const agents = await db
    .select({ id: user.id })
    .from(user)
    .where(and(due, exists(studentsOfAgent)));
  for (const { id } of agents)
    await transaction(async (tx) => {
      // The check runs again under the lock: an admin may have enabled the agent just now.
      const [agent] = await tx
        .select({ id: user.id, name: user.name })
        .from(user)
        .where(and(eq(user.id, id), due))
        .for("no key update");
      if (agent) await moveStudents(services, tx, null, agent, null);
    });
}

/**
 * Takes all students from one agent and gives them to another or to none. Notifies them and both agents, or the admins
 * if there is no new agent. The caller has locked the agents' rows; `actor` is null if a time limit did it. Resolves to
 * how many students there were.
 */
async function moveStudents(
  services: Services,
  tx: Transaction,
  actor: Actor | null,
  from: NamedAgent,
  to: NamedAgent | null,
  alongside?: FurtherWork,
): Promise<number> {
  const now = new Date();
  const students = await tx
    .update(user)
    .set({ assignedAgentId: to?.id ?? null, assignedAt: to && now, updatedAt: now })
    .where(and(eq(user.role, "student"), eq(user.assignedAgentId, from.id)))
    .returning({ id: user.id });
  if (students.length === 0) return 0;
  const eventKey = `${to ? "agent-assigned" : "agent-lost"}:${randomUUID()}`;
  const entry = {
    action: to ? "agent-assigned" : "agent-unassigned",
    actorId: actor?.userId ?? null,
    ...(actor && { address: actor.address }),
    detail: { ...(to && { agent: to.id }), former: from.id },
  } as const;
  for (let at = 0; at < students.length; at += batchSize) {
    const ids = students.slice(at, at + batchSize).map(({ id }) => id);
    await closeRequests(tx, ids, actor?.userId ?? null);
    await recordAudit(tx, ...ids.map((subjectId) => ({ ...entry, subjectId })));
    await notify(services, tx, ...ids.map((id) => notificationsToStudent(id, eventKey, from, to)));
    await alongside?.(tx, ids);
    await services.live.rightsChanged(ids, tx);
    await broadcastDashboards(services, tx, "students", ...ids);
  }
  const number = numberOfStudents(students.length);
  const notifications = to
    ? notificationsToAgents(number, eventKey, from, to)
    : notificationsToAdmins(await activeAdmins(tx), number, eventKey, from);
  await notify(services, tx, ...notifications);
  await broadcastDashboards(services, tx, "students", ...notifications.map(({ userId }) => userId));
  return students.length;
}

function notificationsToAgents(
  students: string,
  eventKey: string,
  from: NamedAgent,
  to: NamedAgent,
): NewNotification[] {
  const shared = { eventKey, ids: {}, path: "/manage-students?filter=mine" };
  const about = { students, agent: to.name };
  return [
    { ...shared, userId: to.id, kind: "studentAssigned", about: { students } },
    { ...shared, userId: from.id, kind: "studentReassigned", about, agentId: to.id },
  ];
}

const notificationsToAdmins = (
  admins: readonly string[],
  students: string,
  eventKey: string,
  from: NamedAgent,
) =>
  admins.map(
    (userId): NewNotification => ({
      userId,
      kind: "studentsLeft",
      eventKey,
      about: { agent: from.name, students },
      ids: { agentId: from.id },
      agentId: from.id,
      path: "/manage-students?filter=unassigned",
    }),
  );
