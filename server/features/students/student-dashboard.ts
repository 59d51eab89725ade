import { and, asc, eq, inArray } from "drizzle-orm";
import { statesForStudent } from "#domain/application.ts";
import { documentKinds } from "#domain/document.ts";
import { missingFields, progressOf } from "#domain/progress.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { currentDocuments, statesOf } from "#server/features/documents/queries.ts";
import { profileOf } from "#server/features/profile/queries.ts";
import type { Reader } from "#server/platform/database.ts";

/** Returns the content of a student's dashboard; null when there is no such account. No identity field leaves here. */
export async function studentDashboard(db: Reader, studentId: string) {
  const [record, documents, agent, applications, asks] = await Promise.all([
    profileOf(db, studentId),
    currentDocuments(db, [studentId]),
    agentOf(db, studentId),
    db.$count(application, eq(application.studentId, studentId)),
    askingApplication(db, studentId),
  ]);
  if (!record) return null;
  return {
    progress: progressOf(record.profile, statesOf(documents)),
    missingFields: missingFields(record.profile),
    documents: documentKinds.map((kind) => slotOf(kind, documents)),
    agent,
    applications,
    asks,
  };
}

type Current = Awaited<ReturnType<typeof currentDocuments>>[number];

function slotOf(kind: Current["kind"], documents: readonly Current[]) {
  const current = documents.find((each) => each.kind === kind);
  const isRejected = current?.state === "rejected";
  return { kind, state: current?.state ?? null, reason: isRejected ? current.reason : "" };
}

/** Returns a student's agent as the student sees them; null without an agent. */
async function agentOf(db: Reader, studentId: string) {
  const agentId = db.select({ id: user.assignedAgentId }).from(user).where(eq(user.id, studentId));
  const [agent] = await db
    .select({ name: user.name, agency: user.agency, email: user.email, phone: user.phone })
    .from(user)
    .where(eq(user.id, agentId));
  return agent ?? null;
}

/** Returns the application that has waited longest for the student; null when none waits. */
async function askingApplication(db: Reader, studentId: string) {
  const [row] = await db
    .select({
      id: application.id,
      program: application.program,
      intake: application.startDate,
      state: application.state,
    })
    .from(application)
    .where(and(eq(application.studentId, studentId), inArray(application.state, statesForStudent)))
    .orderBy(asc(application.updatedAt), asc(application.id))
    .limit(1);
  const state = statesForStudent.find((each) => each === row?.state);
  return row && state ? { ...row, state } : null;
}
