import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { type News, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

export type NamedAgent = { id: string; name: string };
/** Students who changed hands together, and the event that they are notified of. */
export type Moved = { ids: readonly string[]; eventKey: string };

/** Rows written by one statement: PostgreSQL takes 65,535 values at most. */
const batchSize = 1000;

/** Words such as "1 student" and "12 students". */
export const numberOfStudents = (number: number): string =>
  number === 1 ? "1 student" : `${number} students`;

/**
 * Takes all students from one agent, gives them to another or to none, and notifies them. The caller has locked the
 * agents' rows. `actor` is null where time did it.
 */
export async function moveStudents(
  services: Services,
  tx: Transaction,
  actor: Actor | null,
  from: NamedAgent,
  to: NamedAgent | null,
): Promise<Moved> {
  const now = new Date();
  const students = await tx
    .update(user)
    .set({ assignedAgentId: to?.id ?? null, assignedAt: to && now, updatedAt: now })
    .where(and(eq(user.role, "student"), eq(user.assignedAgentId, from.id)))
    .returning({ id: user.id });
  const ids = students.map(({ id }) => id);
  const eventKey = `${to ? "agent-assigned" : "agent-lost"}:${randomUUID()}`;
  await recordAndNotify(services, tx, actor, from, to, { ids, eventKey });
  return { ids, eventKey };
}

async function recordAndNotify(
  services: Services,
  tx: Transaction,
  actor: Actor | null,
  from: NamedAgent,
  to: NamedAgent | null,
  { ids: all, eventKey }: Moved,
): Promise<void> {
  for (let at = 0; at < all.length; at += batchSize) {
    const ids = all.slice(at, at + batchSize);
    const entries = ids.map((id) => ({
      action: to ? ("agent-assigned" as const) : ("agent-unassigned" as const),
      actorId: actor?.userId ?? null,
      subjectId: id,
      ...(actor && { address: actor.address }),
      detail: { ...(to && { agent: to.id }), former: from.id },
    }));
    await recordAudit(tx, ...entries);
    const news = ids.map(
      (userId): News => ({
        userId,
        kind: to ? "agentAssigned" : "agentLost",
        eventKey,
        topic: "own-agent",
        about: { agent: to?.name ?? from.name },
        ids: { agentId: to?.id ?? from.id },
        agentId: to?.id ?? from.id,
        path: "/student-dashboard",
      }),
    );
    await notify(services, tx, ...news);
    await broadcastDashboards(services, tx, ...ids);
  }
}
