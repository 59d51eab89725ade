import { and, eq, sql } from "drizzle-orm";
import type { AgentChoice } from "#contract/students.ts";
import { agentsPerSearch } from "#domain/student-list.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { containing } from "#server/platform/like.ts";

/** The first approved agents by name whose name or agency contains a text. */
export async function agentChoices(db: Reader, search: string): Promise<AgentChoice[]> {
  const name = sql<string>`lower(${user.name})`;
  const pattern = sql`lower(${containing(search.trim())})`;
  return await db
    .select({ id: user.id, name: user.name, agency: user.agency })
    .from(user)
    .where(
      and(
        eq(user.role, "agent"),
        eq(user.status, "approved"),
        search.trim() === ""
          ? undefined
          : sql`(${name} like ${pattern} or lower(${user.agency}) like ${pattern})`,
      ),
    )
    .orderBy(name, user.id)
    .limit(agentsPerSearch);
}
