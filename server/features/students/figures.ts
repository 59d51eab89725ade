import { and, count, countDistinct, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { ApplicationState } from "#domain/application.ts";
import { agentFigures } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { waitsFor } from "./student-filters.ts";

const agent = alias(user, "agent");

/**
 * Counts students by what their applications are about: of an agent, or of all (null), who are then counted by agent
 * too. Each number is that of the students whom Manage Students lists under that filter.
 */
export async function studentFigures(db: Reader, viewerId: string, agentId: string | null) {
  const isMine = and(
    eq(user.role, "student"),
    agentId === null ? undefined : eq(user.assignedAgentId, agentId),
  );
  const students = countDistinct(application.studentId);
  const by = <Value extends string>(value: SQL<Value>) =>
    db
      .select({ value, students })
      .from(application)
      .innerJoin(user, eq(user.id, application.studentId))
      .where(isMine)
      .groupBy(value)
      .orderBy(desc(students), value);
  const [byState, byIntake, byAgent] = await Promise.all([
    by(sql<ApplicationState>`${application.state}`),
    by(sql<string>`${application.startDate}`),
    agentId === null
      ? db
          .select({ agent: { id: agent.id, name: agent.name }, students: count() })
          .from(user)
          .innerJoin(agent, eq(agent.id, user.assignedAgentId))
          .where(and(isMine, isNotNull(user.assignedAgentId)))
          .groupBy(agent.id, agent.name)
          .orderBy(desc(count()), agent.name, agent.id)
          .limit(agentFigures)
      : [],
  ]);
  const applied = db
    .select({
      studentId: application.studentId,
      country: sql<string>`unnest(${application.countryCodes})`.as("destination"),
    })
    .from(application)
    .as("applied");
  const studentsThere = countDistinct(applied.studentId);
  const byDestination = await db
    .select({ value: applied.country, students: studentsThere })
    .from(applied)
    .innerJoin(user, eq(user.id, applied.studentId))
    .where(isMine)
    .groupBy(applied.country)
    .orderBy(desc(studentsThere), applied.country);
  const byWaiting = [];
  for (const value of ["overdue", "messages"] as const) {
    const number = await db.$count(user, and(isMine, waitsFor(value, viewerId)));
    if (number > 0) byWaiting.push({ value, students: number });
  }
  return { byState, byWaiting, byIntake, byDestination, byAgent };
}
