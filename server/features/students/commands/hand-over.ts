import { and, asc, eq, inArray } from "drizzle-orm";
import { decideHandOver } from "#domain/assignment.ts";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { type News, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { moveStudents, type NamedAgent, numberOfStudents } from "./move-students.ts";
import { releaseStudents } from "./release-students.ts";

/** `toAgentId` null: the students shall have no agent. */
export type HandOver = { fromAgentId: string; toAgentId: string | null };

/** Gives all of an agent's students to another agent, or leaves them without one. Resolves to how many there were. */
export async function handOverStudents(
  services: Services,
  actor: Actor,
  { fromAgentId, toAgentId }: HandOver,
): Promise<number> {
  return await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const agents = await lockAgents(tx, [fromAgentId, ...(toAgentId === null ? [] : [toAgentId])]);
    const from = agents.find(({ id }) => id === fromAgentId);
    const to = agents.find(({ id }) => id === toAgentId) ?? null;
    if (!from) throw new Refusal("not-found");
    if (decideHandOver(fromAgentId, toAgentId, to) === "conflict") throw Refusal.conflict();
    const students = to
      ? await handOver(services, tx, actor, from, to)
      : await releaseStudents(services, tx, actor, from);
    await services.live.publish("agents", "{}", tx);
    return students;
  });
}

/** In one order for everybody, so that two who hand over in opposite directions do not wait for each other. */
async function lockAgents(tx: Transaction, ids: string[]) {
  return await tx
    .select({ id: user.id, name: user.name, role: user.role, status: user.status })
    .from(user)
    .where(and(inArray(user.id, ids), eq(user.role, "agent")))
    .orderBy(asc(user.id))
    .for("no key update");
}

async function handOver(
  services: Services,
  tx: Transaction,
  actor: Actor,
  from: NamedAgent,
  to: NamedAgent,
): Promise<number> {
  const { ids, eventKey } = await moveStudents(services, tx, actor, from, to);
  if (ids.length === 0) return 0;
  const about = { students: numberOfStudents(ids.length) };
  const path = "/manage-students?filter=mine";
  const news: News[] = [
    { userId: to.id, kind: "studentAssigned", eventKey, about, ids: {}, path },
    {
      userId: from.id,
      kind: "studentReassigned",
      eventKey,
      about: { ...about, agent: to.name },
      ids: {},
      agentId: to.id,
      path,
    },
  ];
  await notify(services, tx, ...news);
  await broadcastDashboards(services, tx, from.id, to.id);
  return ids.length;
}
