import { and, eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { StudentDetails } from "#contract/students.ts";
import type { AccountStatus } from "#domain/account.ts";
import { documentKinds } from "#domain/document.ts";
import { isResponsibleFor } from "#domain/permission.ts";
import { progressOf } from "#domain/progress.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { sharingStoppedAt } from "#server/features/assignments/queries.ts";
import { currentDocuments, statesOf } from "#server/features/documents/queries.ts";
import { countedColumns } from "#server/features/profile/queries.ts";
import { profile } from "#server/features/profile/tables.ts";
import { shortlistItem } from "#server/features/shortlist/tables.ts";
import type { Reader } from "#server/platform/database.ts";

const agent = alias(user, "agent");

/** Returns the student's agent, and the twelve fields that count as progress. These are only counted, and not shown. */
async function studentWithProfile(db: Reader, studentId: string) {
  const [row] = await db
    .select({
      ...countedColumns,
      agentId: agent.id,
      agentName: agent.name,
      agency: agent.agency,
      sharingStoppedAt,
    })
    .from(user)
    .leftJoin(profile, eq(profile.userId, user.id))
    .leftJoin(agent, eq(agent.id, user.assignedAgentId))
    .where(and(eq(user.id, studentId), eq(user.role, "student")));
  return row;
}

type Viewer = AccountStatus & { id: string };

/** Returns the expanded row of Manage Students for staff; null if the account is not a student's. */
export async function studentDetails(
  db: Reader,
  viewer: Viewer,
  studentId: string,
): Promise<StudentDetails | null> {
  const [student, documents, shortlistItems, applications] = await Promise.all([
    studentWithProfile(db, studentId),
    currentDocuments(db, [studentId]),
    db.$count(shortlistItem, eq(shortlistItem.studentId, studentId)),
    db.$count(application, eq(application.studentId, studentId)),
  ]);
  if (!student) return null;
  const states = statesOf(documents);
  const { agentId, agentName, agency } = student;
  const isResponsible = isResponsibleFor(viewer, { id: studentId, assignedAgentId: agentId });
  return {
    id: studentId,
    agent: agentId === null ? null : { id: agentId, name: agentName ?? "", agency: agency ?? "" },
    progress: progressOf(student, states),
    documents: documentKinds.map((kind) => ({ kind, state: states[kind] ?? null })),
    shortlistItems,
    applications,
    sharingStoppedAt: isResponsible ? student.sharingStoppedAt : null,
  };
}
