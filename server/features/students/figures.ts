import { and, count, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { ApplicationState } from "#domain/application.ts";
import { agentFigures } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { waitsFor } from "./student-filters.ts";

const agent = alias(user, "agent");

/**
 * Counts students by facets of their applications: those of an agent, or all (null), who are then counted by agent too.
 * Each number is that of the students whom Manage Students lists under that filter.
 */
export async function studentFigures(db: Reader, viewerId: string, agentId: string | null) {
  const isCounted = and(
    eq(user.role, "student"),
    agentId === null ? undefined : eq(user.assignedAgentId, agentId),
  );
  function by<Value extends string>(value: SQL<Value>) {
    // PostgreSQL hashes these pairs in memory. For `count(distinct)` it would sort a hundred thousand on disk.
    const pair = db
      .selectDistinct({ value: value.as("value"), studentId: application.studentId })
      .from(application)
      .innerJoin(user, eq(user.id, application.studentId))
      .where(isCounted)
      .as("pair");
    return db
      .select({ value: pair.value, students: count() })
      .from(pair)
      .groupBy(pair.value)
      .orderBy(desc(count()), pair.value);
  }
  const [byState, byIntake, byDestination, byAgent] = await Promise.all([
    by(sql<ApplicationState>`${application.state}`),
    by(sql<string>`${application.startDate}`),
    by(sql<string>`unnest(${application.countryCodes})`),
    agentId === null
      ? db
          .select({ agent: { id: agent.id, name: agent.name }, students: count() })
          .from(user)
          .innerJoin(agent, eq(agent.id, user.assignedAgentId))
          .where(and(isCounted, isNotNull(user.assignedAgentId)))
          .groupBy(agent.id, agent.name)
          .orderBy(desc(count()), agent.name, agent.id)
          .limit(agentFigures)
      : [],
  ]);
  const byWaiting = [];
  for (const value of ["overdue", "messages"] as const) {
    const number = await db.$count(user, and(isCounted, waitsFor(value, viewerId)));
    if (number > 0) byWaiting.push({ value, students: number });
  }
  return { byState, byWaiting, byIntake, byDestination, byAgent };
}
