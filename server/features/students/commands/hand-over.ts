import { and, asc, eq, inArray } from "drizzle-orm";
import { decideHandOver } from "#domain/assignment.ts";
import { isAdmin } from "#domain/permission.ts";
import { standingOf } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { type News, notify, touchDesks } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { moveStudents, type NamedAgent, numberOfStudents } from "./move-students.ts";
import { releaseStudents } from "./release-students.ts";

/** `toAgentId` null: the students shall have no agent. */
export type HandOver = { fromAgentId: string; toAgentId: string | null };
/** `noAgent`: the one chosen is no approved agent, or not any more. */
export type HandOverOutcome =
  | { kind: "done"; students: number }
  | { kind: "notFound" | "noAgent" | "notAllowed" };

/** Gives all of an agent's students to another agent at once, or leaves them without one. */
export async function handOverStudents(
  services: Services,
  actor: Actor,
  { fromAgentId, toAgentId }: HandOver,
): Promise<HandOverOutcome> {
  return await services.database.transaction(async (tx): Promise<HandOverOutcome> => {
    const standing = await standingOf(tx, actor.userId);
    if (!standing || !isAdmin(standing)) return { kind: "notAllowed" };
    const agents = await lockAgents(tx, [fromAgentId, ...(toAgentId === null ? [] : [toAgentId])]);
    const from = agents.find(({ id }) => id === fromAgentId);
    const to = agents.find(({ id }) => id === toAgentId) ?? null;
    if (!from) return { kind: "notFound" };
    const outcome = decideHandOver(fromAgentId, toAgentId, to);
    if (outcome === "noAgent") return { kind: "noAgent" };
    const students = to
      ? await handOver(services, tx, actor, from, to)
      : await releaseStudents(services, tx, actor, from);
    await services.live.publish("agents", "{}", tx);
    return { kind: "done", students };
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
    { userId: to.id, kind: "studentAssigned", eventKey, about, path },
    { userId: from.id, kind: "studentReassigned", eventKey, about: { ...about, agent: to.name }, path },
  ];
  await notify(services, tx, ...news);
  await touchDesks(services, tx, from.id, to.id);
  return ids.length;
}
