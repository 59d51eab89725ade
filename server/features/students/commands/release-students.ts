import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { type News, notify, touchDesks } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

/** Rows written by one statement: PostgreSQL takes 65,535 values at most. */
const atOnce = 1000;

/**
 * What an agent leaves who is revoked or disabled (product decisions, "What a lost agent leaves"): their students
 * have no agent any more, and are told, as are the admins. The caller has locked the agent's row.
 */
export async function releaseStudents(
  services: Services,
  tx: Transaction,
  actor: Actor,
  agent: { id: string; name: string },
): Promise<void> {
  const students = await tx
    .update(user)
    .set({ assignedAgentId: null, assignedAt: null, updatedAt: new Date() })
    .where(and(eq(user.role, "student"), eq(user.assignedAgentId, agent.id)))
    .returning({ id: user.id });
  if (students.length === 0) return;
  const eventKey = `agent-lost:${randomUUID()}`;
  const ids = students.map(({ id }) => id);
  await tellStudents(services, tx, actor, agent, eventKey, ids);
  await tellAdmins(services, tx, agent, students.length, eventKey);
}

async function tellStudents(
  services: Services,
  tx: Transaction,
  actor: Actor,
  agent: { id: string; name: string },
  eventKey: string,
  all: readonly string[],
): Promise<void> {
  const ids = all.slice(0, atOnce);
  if (ids.length === 0) return;
  const entries = ids.map((id) => ({
    action: "agent-unassigned" as const,
    actorId: actor.userId,
    subjectId: id,
    address: actor.address,
    detail: { former: agent.id },
  }));
  await recordAudit(tx, ...entries);
  const news = ids.map(
    (userId): News => ({
      userId,
      kind: "agentLost",
      eventKey,
      about: { agent: agent.name },
      path: "/student-dashboard",
    }),
  );
  await notify(services, tx, ...news);
  await touchDesks(services, tx, ...ids);
  await tellStudents(services, tx, actor, agent, eventKey, all.slice(atOnce));
}

async function tellAdmins(
  services: Services,
  tx: Transaction,
  agent: { name: string },
  students: number,
  eventKey: string,
) {
  const admins = await tx
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.role, "admin"), eq(user.status, "active")));
  const about = { agent: agent.name, students: students === 1 ? "1 student" : `${students} students` };
  const path = "/manage-students?filter=unassigned";
  const news = admins.map(
    ({ id: userId }): News => ({ userId, kind: "studentsLeft", eventKey, about, path }),
  );
  await notify(services, tx, ...news);
  await touchDesks(services, tx, ...admins.map(({ id }) => id));
}
