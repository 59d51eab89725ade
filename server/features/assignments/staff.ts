import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { activeAdmins } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";

const student = alias(user, "student");
const agent = alias(user, "agent");

/** Students may keep their papers from an agent, but not what is said and done about their applications. */
type Matter = "papers" | "guidance";

/**
 * Returns the ids of the people who answer each of these students: the assigned agent, or all admins while no agent can. An
 * agent from whom the student keeps the papers can't answer about those.
 */
export async function staffOf(
  db: Reader,
  studentIds: readonly string[],
  matter: Matter,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .select({ studentId: student.id, agentId: agent.id })
    .from(student)
    .leftJoin(
      agent,
      and(
        eq(agent.id, student.assignedAgentId),
        eq(agent.role, "agent"),
        eq(agent.status, "approved"),
        matter === "papers" ? sql`${student.sharingStoppedWith} is distinct from ${agent.id}` : undefined,
      ),
    )
    .where(sql`${student.id} = any(${sql.param([...studentIds])}::text[])`);
  const admins = rows.some(({ agentId }) => agentId === null) ? await activeAdmins(db) : [];
  return new Map(rows.map(({ studentId, agentId }) => [studentId, agentId === null ? admins : [agentId]]));
}
