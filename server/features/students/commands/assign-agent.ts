import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { type AssignmentWish, decideAssignment } from "#domain/assignment.ts";
import { mayManageStudents } from "#domain/permission.ts";
import { studentPath } from "#protocol/addresses.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { type News, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { lockStudent, type StudentRecord } from "../queries.ts";

/**
 * Gives a student another agent, or none. The former one's access ends with the commit. `unchanged`: it was so already.
 */
export async function assignAgent(
  services: Services,
  actor: Actor,
  studentId: string,
  wish: AssignmentWish,
): Promise<"assigned" | "unassigned" | "unchanged"> {
  return await services.database.transaction(async (tx) => {
    // Agents are locked before students, here as everywhere: a revocation at this moment comes before or after.
    const who = await lockActor(tx, actor, mayManageStudents);
    const agent = wish.agentId === null ? null : await lockAgent(tx, wish.agentId);
    const student = await lockStudent(tx, studentId, "update");
    if (!student) throw new Refusal("not-found");
    const outcome = decideAssignment(who, student, wish, agent);
    if (outcome === "notAllowed") throw new Refusal("permission-denied");
    if (outcome === "conflict") throw Refusal.conflict();
    if (outcome !== "unchanged") await carryOut(services, tx, actor, student, agent);
    return outcome;
  });
}

async function lockAgent(tx: Transaction, id: string) {
  const [found] = await tx
    .select({ id: user.id, name: user.name, role: user.role, status: user.status })
    .from(user)
    .where(and(eq(user.id, id), eq(user.role, "agent")))
    .for("share");
  return found ?? null;
}

type Agent = { id: string; name: string };

async function carryOut(
  services: Services,
  tx: Transaction,
  actor: Actor,
  student: StudentRecord,
  agent: Agent | null,
) {
  const now = new Date();
  await tx
    .update(user)
    .set({ assignedAgentId: agent?.id ?? null, assignedAt: agent && now, updatedAt: now })
    .where(eq(user.id, student.id));
  const formerId = student.assignedAgentId;
  await recordAudit(tx, {
    action: agent ? "agent-assigned" : "agent-unassigned",
    actorId: actor.userId,
    subjectId: student.id,
    address: actor.address,
    detail: { ...(agent && { agent: agent.id }), ...(formerId && { former: formerId }) },
  });
  const eventKey = `${agent ? "agent-assigned" : "agent-lost"}:${randomUUID()}`;
  const news = agent
    ? newsOfAssignment(actor, student, agent, eventKey)
    : [await unassigned(tx, student, eventKey)];
  await notify(services, tx, ...news, ...lost(actor, student, agent, eventKey));
  await broadcastDashboards(services, tx, student.id, formerId, agent?.id ?? null);
}

/** An agent who takes a student on needs no telling. */
export function newsOfAssignment(
  actor: Pick<Actor, "userId">,
  student: Pick<StudentRecord, "id" | "name">,
  agent: Agent,
  eventKey: string,
): News[] {
  const toStudent: News = {
    userId: student.id,
    kind: "agentAssigned",
    eventKey,
    topic: "own-agent",
    about: { agent: agent.name },
    ids: { agentId: agent.id },
    agentId: agent.id,
    path: "/student-dashboard",
  };
  const toAgent: News = {
    userId: agent.id,
    kind: "studentAssigned",
    eventKey,
    topic: `student:${student.id}`,
    about: { student: student.name },
    ids: { studentId: student.id },
    path: studentPath(student),
  };
  return agent.id === actor.userId ? [toStudent] : [toStudent, toAgent];
}

/** The agent who loses the student, unless it was their own doing. */
function lost(
  actor: Actor,
  { id, name, assignedAgentId }: StudentRecord,
  agent: Agent | null,
  eventKey: string,
): News[] {
  if (assignedAgentId === null || assignedAgentId === actor.userId) return [];
  const path = "/manage-students?filter=mine";
  const about = { student: name, ...(agent && { agent: agent.name }) };
  return [
    {
      userId: assignedAgentId,
      kind: "studentReassigned",
      eventKey,
      topic: `student:${id}`,
      about,
      ids: { studentId: id },
      ...(agent && { agentId: agent.id }),
      path,
    },
  ];
}

async function unassigned(tx: Transaction, student: StudentRecord, eventKey: string): Promise<News> {
  const [former] = await tx
    .select({ name: user.name })
    .from(user)
    .where(eq(user.id, student.assignedAgentId ?? ""));
  return {
    userId: student.id,
    kind: "agentLost",
    eventKey,
    topic: "own-agent",
    about: { ...(former && { agent: former.name }) },
    ids: { ...(student.assignedAgentId !== null && { agentId: student.assignedAgentId }) },
    ...(student.assignedAgentId !== null && { agentId: student.assignedAgentId }),
    path: "/student-dashboard",
  };
}
