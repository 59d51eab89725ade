import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { type AssignmentChange, decideAssignment, mayTakeBack } from "#domain/assignment.ts";
import { mayManageStudents } from "#domain/permission.ts";
import { studentPath } from "#protocol/addresses.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { lockStudent, type StudentRecord } from "../queries.ts";
import { closeRequests, reopenRequest } from "./open-requests.ts";

/** Further work in the transaction in which these students get another agent. */
export type FurtherWork = (tx: Transaction, studentIds: readonly string[]) => Promise<void>;

/**
 * Assigns another agent, or none, to a student. The former agent's access ends with the commit. Returns `unchanged` if
 * the student already had that agent.
 */
export const assignAgent = (
  services: Services,
  actor: Actor,
  studentId: string,
  change: AssignmentChange,
  alongside?: FurtherWork,
): Promise<AppliedAssignment> =>
  services.database.transaction(async (tx) => {
    const outcome = await assignWithin(services, tx, actor, studentId, change);
    if (outcome !== "unchanged") await alongside?.(tx, [studentId]);
    return outcome;
  });

export type AppliedAssignment = "assigned" | "unassigned" | "unchanged";
/** The people who are notified of an assignment; the caller notifies the others. */
export type NotificationAudience = "everyone" | "student" | "agents";

/** Assigns in the caller's transaction, so that the caller can record the result together with it. */
export async function assignWithin(
  services: Services,
  tx: Transaction,
  actor: Actor,
  studentId: string,
  change: AssignmentChange,
  audience: NotificationAudience = "everyone",
): Promise<AppliedAssignment> {
  // Agents are always locked before students, so that a concurrent revocation comes either before or after.
  const who = await lockActor(tx, actor, mayManageStudents);
  const agent = change.agentId === null ? null : await lockAgent(tx, change.agentId);
  const student = await lockStudent(tx, studentId, "update");
  if (!student) throw new Refusal("not-found");
  const outcome = decideAssignment(who, student, change, agent);
  if (outcome === "notAllowed") throw new Refusal("permission-denied");
  if (outcome === "conflict") throw Refusal.conflict();
  if (outcome !== "unchanged") await replaceAgent(services, tx, actor, student, agent, audience);
  return outcome;
}

/**
 * Undoes an assignment that the actor made `at` some time: gives the student back to the previous agent, or to none,
 * and reopens the request that it closed. Refuses with a conflict if the student was assigned otherwise since, or if
 * the agent has acted for them, which `hasActed` checks while the student is locked.
 */
export async function takeBackWithin(
  services: Services,
  tx: Transaction,
  actor: Actor,
  studentId: string,
  { agentId, expectedAgentId }: AssignmentChange,
  at: Date,
  hasActed: (agentId: string) => Promise<boolean>,
): Promise<void> {
  await lockActor(tx, actor, mayManageStudents);
  const agent = agentId === null ? null : await lockAgent(tx, agentId);
  const student = await lockStudent(tx, studentId, "update");
  if (!student) throw new Refusal("not-found");
  const agentActed = expectedAgentId !== null && (await hasActed(expectedAgentId));
  if (!mayTakeBack(student, { agentId, expectedAgentId }, agent, agentActed)) throw Refusal.conflict();
  await replaceAgent(services, tx, actor, student, agent, "student");
  await reopenRequest(services, tx, student, at);
}

/** Locks an agent until the transaction ends; null for any other account. */
export async function lockAgent(tx: Transaction, id: string) {
  const [row] = await tx
    .select({ id: user.id, name: user.name, role: user.role, status: user.status })
    .from(user)
    .where(and(eq(user.id, id), eq(user.role, "agent")))
    .for("share");
  return row ?? null;
}

export type NamedAgent = { id: string; name: string };

const isNotified = (audience: NotificationAudience, isStudent: boolean): boolean =>
  audience === "everyone" || (audience === "student") === isStudent;

/** Assigns another agent, or none, to a student whose row is locked; notifies all concerned except the actor. */
export async function replaceAgent(
  services: Services,
  tx: Transaction,
  actor: Actor,
  student: StudentRecord,
  agent: NamedAgent | null,
  audience: NotificationAudience = "everyone",
) {
  const now = new Date();
  await tx
    .update(user)
    .set({ assignedAgentId: agent?.id ?? null, assignedAt: agent && now, updatedAt: now })
    .where(eq(user.id, student.id));
  await closeRequests(tx, [student.id], actor.userId);
  const former = await formerAgent(tx, student);
  await recordAudit(tx, {
    action: agent ? "agent-assigned" : "agent-unassigned",
    ...actedBy(actor),
    subjectId: student.id,
    detail: { ...(agent && { agent: agent.id }), ...(former && { former: former.id }) },
  });
  const eventKey = `${agent ? "agent-assigned" : "agent-lost"}:${randomUUID()}`;
  const notifications = notificationsOfAssignment(actor, student, agent, eventKey, former);
  await notify(
    services,
    tx,
    ...notifications.filter(({ userId }) => isNotified(audience, userId === student.id)),
  );
  await services.live.rightsChanged([student.id], tx);
  await broadcastDashboards(services, tx, "students", student.id, former?.id ?? null, agent?.id ?? null);
}

async function formerAgent(tx: Transaction, { assignedAgentId }: StudentRecord): Promise<NamedAgent | null> {
  if (assignedAgentId === null) return null;
  const [row] = await tx
    .select({ id: user.id, name: user.name })
    .from(user)
    .where(eq(user.id, assignedAgentId));
  return row ?? null;
}

/** Returns notifications for the student, and for both agents unless they made the change. */
export function notificationsOfAssignment(
  actor: Pick<Actor, "userId">,
  student: Pick<StudentRecord, "id" | "name">,
  agent: NamedAgent | null,
  eventKey: string,
  former: NamedAgent | null = null,
): NewNotification[] {
  const aboutStudent = { eventKey, topic: `student:${student.id}`, ids: { studentId: student.id } };
  const toAgents: NewNotification[] = [];
  if (agent)
    toAgents.push({
      ...aboutStudent,
      userId: agent.id,
      kind: "studentAssigned",
      about: { student: student.name },
      path: studentPath(student),
    });
  if (former)
    toAgents.push({
      ...aboutStudent,
      userId: former.id,
      kind: "studentReassigned",
      about: { student: student.name, ...(agent && { agent: agent.name }) },
      ...(agent && { agentId: agent.id }),
      path: "/manage-students?filter=mine",
    });
  return [
    notificationsToStudent(student.id, eventKey, former, agent),
    ...toAgents.filter(({ userId }) => userId !== actor.userId),
  ];
}

/** Returns the notification that a student has another agent, or none any more. */
export function notificationsToStudent(
  userId: string,
  eventKey: string,
  former: NamedAgent | null,
  agent: NamedAgent | null,
): NewNotification {
  const shared = { userId, eventKey, topic: "own-agent", path: "/student-dashboard" };
  const naming = ({ id: agentId, name }: NamedAgent) => ({
    about: { agent: name },
    ids: { agentId },
    agentId,
  });
  if (agent) return { ...shared, ...naming(agent), kind: "agentAssigned" };
  return { ...shared, ...(former ? naming(former) : { about: {}, ids: {} }), kind: "agentLost" };
}
