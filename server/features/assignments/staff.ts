import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { studentPath } from "#protocol/addresses.ts";
import { activeAdmins } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { sharesPapersWith } from "./queries.ts";

const student = alias(user, "student");
const agent = alias(user, "agent");

/** Students may keep their papers from an agent, but not what is said and done about their applications. */
export type StaffSubject = "papers" | "guidance";

/**
 * Returns the ids of the people who answer a student: the assigned agent, or all admins while no agent can. An agent from
 * whom the student keeps the papers can't answer about those.
 */
export const staffOf = async (
  db: Reader,
  studentId: string,
  matter: StaffSubject,
): Promise<readonly string[]> => (await staffOfEach(db, [studentId], matter)).get(studentId) ?? [];

/** Returns the people who answer each of these students. */
export async function staffOfEach(
  db: Reader,
  studentIds: readonly string[],
  matter: StaffSubject,
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
        matter === "papers" ? sharesPapersWith(agent.id, student.id) : undefined,
      ),
    )
    .where(sql`${student.id} = any(${sql.param([...studentIds])}::text[])`);
  const admins = rows.some(({ agentId }) => agentId === null) ? await activeAdmins(db) : [];
  return new Map(rows.map(({ studentId, agentId }) => [studentId, agentId === null ? admins : [agentId]]));
}

/** The address at which one of these people sees the student. */
export const pathToStudent = (
  of: { id: string; name: string; assignedAgentId: string | null },
  userId: string,
): string => studentPath(of, undefined, userId === of.assignedAgentId ? "mine" : "all");
