import { and, eq, isNull } from "drizzle-orm";
import { documentKinds } from "#domain/document.ts";
import { user } from "#server/features/account/tables.ts";
import { applicationsOf } from "#server/features/applications/queries.ts";
import { requireViewReason } from "#server/features/assignments/commands/look-reason.ts";
import { lockForPapers } from "#server/features/assignments/queries.ts";
import { type AuditEntry, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { document } from "#server/features/documents/tables.ts";
import { nameOfRequested, requestedFilesOf } from "#server/features/planner/request-files.ts";
import { profileOf } from "#server/features/profile/queries.ts";
import type { SessionActor } from "#server/features/sessions/sessions.ts";
import { itemsOf } from "#server/features/shortlist/queries.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

export type StudentFile = Awaited<ReturnType<typeof openStudentFile>>;

/**
 * Returns everything that is stored about a student, for their agent or an admin. Writes an audit entry for the details
 * and one for each document. Throws `not-found` for everyone else, and for an unknown student.
 */
export async function openStudentFile(services: Services, actor: SessionActor, studentId: string) {
  return await services.database.transaction(async (tx) => {
    const student = await lockForPapers(tx, actor, studentId);
    const record = await profileOf(tx, studentId);
    if (!record) throw new Refusal("not-found");
    const rows = await documentsIn(tx, studentId);
    const documents = documentKinds.flatMap((kind) => rows.filter((each) => each.kind === kind));
    const sharedFields = { ...actedBy(actor), subjectId: studentId };
    const right = await requireViewReason(tx, actor.session, student);
    const entries = documents.map(
      ({ id, kind }): AuditEntry => ({
        ...sharedFields,
        action: "document-downloaded",
        detail: { ...right, document: id, kind, as: "student-file" },
      }),
    );
    const requested = await requestedFilesOf(tx, studentId);
    for (const { id } of requested)
      entries.push({
        ...sharedFields,
        action: "document-downloaded",
        detail: { ...right, request: id, as: "student-file" },
      });
    const details = { ...right, as: "student-file" };
    await recordAudit(tx, { ...sharedFields, action: "identity-viewed", detail: details }, ...entries);
    return {
      name: student.name,
      profile: record.profile,
      agent: student.assignedAgentId && (await nameOf(tx, student.assignedAgentId)),
      documents,
      requested: requested.map((file) => ({ ...file, title: nameOfRequested(file) })),
      applications: await applicationsOf(tx, studentId),
      shortlist: await itemsOf(tx, studentId, { seesIdentity: true }),
    };
  });
}

const documentsIn = (tx: Transaction, studentId: string) =>
  tx
    .select({
      id: document.id,
      kind: document.kind,
      state: document.state,
      name: document.originalName,
      type: document.mediaType,
      size: document.size,
      uploadedAt: document.uploadedAt,
      storageKey: document.storageKey,
    })
    .from(document)
    .where(and(eq(document.studentId, studentId), isNull(document.replacedAt)));

async function nameOf(tx: Transaction, id: string): Promise<string | null> {
  const [row] = await tx.select({ name: user.name }).from(user).where(eq(user.id, id));
  return row?.name ?? null;
}
