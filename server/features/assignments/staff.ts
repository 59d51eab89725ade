import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { studentPath } from "#protocol/addresses.ts";
import { activeAdmins } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { sharesPapersWith } from "./queries.ts";

const student = alias(user, "student");
const agent = alias(user, "agent");

/** Students may withhold their papers from an agent, but not messages and decisions about their applications. */
export type StaffSubject = "papers" | "guidance";

/**
 * Returns the ids of the staff who answer a student: the assigned agent, or all admins while no agent can. An agent
 * can't answer about papers that the student withholds from them.
 */
export const staffOf = async (
  db: Reader,
  studentId: string,
  matter: StaffSubject,
): Promise<readonly string[]> => (await staffOfEach(db, [studentId], matter)).get(studentId) ?? [];

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

/** Returns the path at which a staff member sees the student. */
export const pathToStudent = (
  record: { id: string; name: string; assignedAgentId: string | null },
  userId: string,
): string => studentPath(record, undefined, userId === record.assignedAgentId ? "mine" : "all");
