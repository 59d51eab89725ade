import { and, asc, eq, inArray } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { statesForStudent } from "#domain/application.ts";
import { documentKinds } from "#domain/document.ts";
import { missingFields, progressOf } from "#domain/progress.ts";
import { user } from "#server/features/account/tables.ts";
import { unconfirmedApplication } from "#server/features/applications/confirmations/queries.ts";
import { application } from "#server/features/applications/tables.ts";
import { ownChangeRequest } from "#server/features/assignments/change-requests.ts";
import { sharingStoppedAt } from "#server/features/assignments/queries.ts";
import { threadToAnswer } from "#server/features/conversations/queries.ts";
import { currentDocuments, statesOf } from "#server/features/documents/queries.ts";
import { enteredBy } from "#server/features/files/uploaded-by.ts";
import { mostUrgentOffer } from "#server/features/offers/open-offers.ts";
import { entriesOf } from "#server/features/profile/entries.ts";
import { profileOf } from "#server/features/profile/queries.ts";
import type { Reader } from "#server/platform/database.ts";

const agent = alias(user, "agent");

/** Returns the content of a student's dashboard; null if there is no such account. Contains no identity field. */
export async function studentDashboard(db: Reader, studentId: string) {
  const [record, entries, documents, ownAgent, applications, asks, change, confirms, offer, reply] =
    await Promise.all([
      profileOf(db, studentId),
      entriesOf(db, studentId),
      currentDocuments(db, [studentId]),
      agentOf(db, studentId),
      db.$count(application, eq(application.studentId, studentId)),
      askingApplication(db, studentId),
      ownChangeRequest(db, studentId),
      unconfirmedApplication(db, studentId),
      mostUrgentOffer(db, studentId),
      threadToAnswer(db, studentId),
    ]);
  if (!record) return null;
  return {
    progress: progressOf(record.profile, statesOf(documents)),
    missingFields: missingFields(record.profile),
    entries,
    documents: documentKinds.map((kind) => slotOf(kind, documents)),
    ...ownAgent,
    applications,
    asks,
    change,
    confirms,
    offer,
    reply,
  };
}

type CurrentDocument = Awaited<ReturnType<typeof currentDocuments>>[number];

function slotOf(kind: CurrentDocument["kind"], documents: readonly CurrentDocument[]) {
  const current = documents.find((each) => each.kind === kind);
  const isRejected = current?.state === "rejected";
  const by = current ? enteredBy(current.entry) : null;
  return {
    kind,
    state: current?.state ?? null,
    reason: isRejected ? current.reason : "",
    enteredBy: by && current ? { by, at: current.uploadedAt } : null,
  };
}

/** Returns a student's agent for the student, and the time since which no papers are shared with that agent. */
async function agentOf(db: Reader, studentId: string) {
  const [row] = await db
    .select({
      agent: { name: agent.name, agency: agent.agency, email: agent.email, phone: agent.phone },
      sharingStoppedAt,
    })
    .from(user)
    .innerJoin(agent, eq(agent.id, user.assignedAgentId))
    .where(eq(user.id, studentId));
  return row ?? { agent: null, sharingStoppedAt: null };
}

/** Returns the application that has waited longest for the student; null if none waits. */
async function askingApplication(db: Reader, studentId: string) {
  const [row] = await db
    .select({
      id: application.id,
      program: application.program,
      intake: application.startDate,
      university: application.university,
      year: application.intakeYear,
      state: application.state,
    })
    .from(application)
    .where(and(eq(application.studentId, studentId), inArray(application.state, statesForStudent)))
    .orderBy(asc(application.updatedAt), asc(application.id))
    .limit(1);
  const state = statesForStudent.find((each) => each === row?.state);
  return row && state ? { ...row, state } : null;
}
