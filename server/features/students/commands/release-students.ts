import { and, eq, exists, isNull, lt, or } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { studentsLeaveBefore } from "#domain/disabling.ts";
import type { LostAccount } from "#server/features/account/events.ts";
import { activeAdmins } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { type News, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { type Moved, moveStudents, type NamedAgent, numberOfStudents } from "./move-students.ts";

/** The students of an agent have none any more; they and the admins are notified. The caller has locked the agent's row. */
export async function releaseStudents(
  services: Services,
  tx: Transaction,
  actor: Actor | null,
  agent: NamedAgent,
): Promise<number> {
  const moved = await moveStudents(services, tx, actor, agent, null);
  if (moved.ids.length > 0) await notifyAdmins(services, tx, agent, moved);
  return moved.ids.length;
}

/** What becomes of an agent's students when the agent's account is lost. */
export async function releaseStudentsOfLost(
  services: Services,
  tx: Transaction,
  { actor, keepsStudents, ...agent }: LostAccount,
): Promise<void> {
  if (!keepsStudents) await releaseStudents(services, tx, actor, agent);
}

async function notifyAdmins(
  services: Services,
  tx: Transaction,
  agent: NamedAgent,
  { ids: students, eventKey }: Moved,
) {
  const admins = await activeAdmins(tx);
  const about = { agent: agent.name, students: numberOfStudents(students.length) };
  const ids = { agentId: agent.id };
  const path = "/manage-students?filter=unassigned";
  const news = admins.map(
    (userId): News => ({
      userId,
      kind: "studentsLeft",
      eventKey,
      about,
      ids,
      agentId: agent.id,
      path,
    }),
  );
  await notify(services, tx, ...news);
  await broadcastDashboards(services, tx, ...admins);
}

const student = alias(user, "student");

/**
 * Releases the students of agents who have been disabled for too long. Each agent in a transaction of its own: after
 * a crash the next night finds the others.
 */
export async function releaseOverdueStudents(services: Services, now = new Date()): Promise<void> {
  const { db, transaction } = services.database;
  const due = and(
    eq(user.role, "agent"),
    eq(user.status, "disabled"),
    or(isNull(user.disabledAt), lt(user.disabledAt, studentsLeaveBefore(now))),
  );
  const theirs = db.select({ id: student.id }).from(student).where(eq(student.assignedAgentId, user.id));
  const agents = await db
    .select({ id: user.id })
    .from(user)
    .where(and(due, exists(theirs)));
  for (const { id } of agents)
    await transaction(async (tx) => {
      // Asked again under the lock: an admin may have enabled the agent just now.
      const [agent] = await tx
        .select({ id: user.id, name: user.name })
        .from(user)
        .where(and(eq(user.id, id), due))
        .for("no key update");
      if (agent) await releaseStudents(services, tx, null, agent);
    });
}
