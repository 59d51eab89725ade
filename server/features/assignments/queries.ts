import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AgentChoice } from "#contract/students.ts";
import type { AccountStatus } from "#domain/account.ts";
import { nameParts } from "#domain/name-search.ts";
import { isResponsibleFor, maySeePapers, type SharingStudent } from "#domain/permission.ts";
import { agentsPerSearch } from "#protocol/page-sizes.ts";
import { lockStatus } from "#server/features/account/queries.ts";
import { matching } from "#server/features/account/search-text.ts";
import { user } from "#server/features/account/tables.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { sharing } from "./tables.ts";

/** The columns of a student that commands need. */
export type StudentRecord = SharingStudent & { name: string; firstName: string; email: string };

/** Time since which a student has withheld their papers from the assigned agent; null while they share them. */
export const sharingStoppedAt = sql<Date | null>`(
  select stopped_at from sharing where student_id = "user".id and agent_id = "user".assigned_agent_id)`.mapWith(
  sharing.stoppedAt,
);
/** Returns the condition that a student shares their papers with this agent. */
export const sharesPapersWith = (agentId: SQLWrapper | string, studentId: SQLWrapper = sql`"user".id`): SQL =>
  sql`not exists (select from sharing where student_id = ${studentId} and agent_id = ${agentId})`;

/** Columns of a `StudentRecord`. */
export const studentColumns = {
  id: user.id,
  name: user.name,
  firstName: user.firstName,
  email: user.email,
  assignedAgentId: user.assignedAgentId,
  sharingStoppedAt,
};
const isStudent = (id: string) => and(eq(user.id, id), eq(user.role, "student"));

/** Returns a student by id; null for any other account. */
export async function studentById(db: Reader, id: string): Promise<StudentRecord | null> {
  const [row] = await db.select(studentColumns).from(user).where(isStudent(id));
  return row ?? null;
}

/**
 * Returns a student and locks the assignment until the transaction ends: an agent may only act while the student is
 * theirs. Pass null if the record in question doesn't exist: the query still runs, so that a missing record takes as
 * long as a forbidden one.
 */
export async function lockStudent(
  tx: Transaction,
  id: string | null,
  strength: "share" | "update" = "share",
): Promise<StudentRecord | null> {
  const condition = id === null ? sql`false` : isStudent(id);
  await tx.select({ id: user.id }).from(user).where(condition).for(strength);
  // A statement that waited for a lock sees other tables as they were before, so a second one reads these columns.
  const [row] = await tx.select(studentColumns).from(user).where(condition);
  return row ?? null;
}

type AccessCheck = (who: AccountStatus & { id: string }, student: SharingStudent) => boolean;

async function lockFor(
  tx: Transaction,
  { userId }: Actor,
  id: string | null,
  isAllowed: AccessCheck,
): Promise<StudentRecord> {
  const status = await lockStatus(tx, userId);
  const student = await lockStudent(tx, id);
  if (!status || !student || !isAllowed({ ...status, id: userId }, student)) throw new Refusal("not-found");
  return student;
}

/** Locks a student for their agent or an admin; refuses anybody else as if there were no such student. */
export const lockForResponsible = (tx: Transaction, actor: Actor, id: string | null) =>
  lockFor(tx, actor, id, isResponsibleFor);

/** Locks a student for those who may see the papers; refuses anybody else as if there were no such student. */
export const lockForPapers = (tx: Transaction, actor: Actor, id: string | null) =>
  lockFor(tx, actor, id, maySeePapers);

/** Returns the first approved agents by name whose name, agency or address matches the search. */
export async function agentChoices(db: Reader, search: string): Promise<AgentChoice[]> {
  const name = sql<string>`lower(${user.name})`;
  return await db
    .select({ id: user.id, name: user.name, agency: user.agency })
    .from(user)
    .where(
      and(
        eq(user.role, "agent"),
        eq(user.status, "approved"),
        matching(sql`(${user.searchText} || plain_name(' ' || ${user.agency}))`, nameParts(search)),
      ),
    )
    .orderBy(name, user.id)
    .limit(agentsPerSearch);
}
