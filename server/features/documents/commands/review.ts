import { eq } from "drizzle-orm";
import type { AuditAction } from "#domain/audit.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { type DocumentKind, type DocumentState, documentLabel } from "#domain/document.ts";
import { decideReview, type ReviewDecision } from "#domain/document-review.ts";
import { lockForPapers } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { documentById } from "../queries.ts";
import { document } from "../tables.ts";

/** `kind` and `seen` are the slot and the state that the reviewer saw when deciding. */
export type Review = {
  documentId: string;
  kind: DocumentKind;
  decision: ReviewDecision;
  seen: DocumentState;
  reason: string;
};

const auditActionOf: Record<ReviewDecision, AuditAction> = {
  approved: "document-approved",
  rejected: "document-rejected",
};

/** Approves a document, or rejects it with a reason, and notifies the student. */
export async function reviewDocument(services: Services, actor: Actor, review: Review): Promise<void> {
  await services.database.transaction(async (tx) => {
    const { file, student } = await lockForReview(tx, actor, review.documentId);
    const isGone = file.replacedAt !== null || file.kind !== review.kind;
    const reviewed = { state: file.state, seen: review.seen, isGone };
    const outcome = decideReview(review.decision, reviewed, review.reason);
    if (outcome.kind === "problem") throw Refusal.of(outcome.problem);
    if (outcome.kind === "conflict") throw Refusal.conflict();
    const { state, reason } = outcome;
    const reviewedAt = new Date();
    await tx
      .update(document)
      .set({ state, reason, reviewedBy: actor.userId, reviewedAt })
      .where(eq(document.id, file.id));
    const detail: AuditDetail = { document: file.id, kind: file.kind };
    await recordAudit(tx, { action: auditActionOf[state], ...actedBy(actor), subjectId: student.id, detail });
    const change = { studentId: student.id, kind: file.kind, document: state, reason };
    await services.studyEvents.slotChanged(services, tx, change);
    await notify(services, tx, notificationOfReview(student.id, { file, state, reason, at: reviewedAt }));
    await broadcastDashboards(services, tx, "documents", student.id, student.assignedAgentId, actor.userId);
  });
}

/** Locks the document and its student until the transaction ends. */
async function lockForReview(tx: Transaction, actor: Actor, documentId: string) {
  const before = await documentById(tx, documentId);
  const student = await lockForPapers(tx, actor, before?.studentId ?? null);
  // An upload locks in the same order: the student first, then the document.
  const [file] = await tx
    .select({
      id: document.id,
      kind: document.kind,
      state: document.state,
      replacedAt: document.replacedAt,
    })
    .from(document)
    .where(eq(document.id, documentId))
    .for("update");
  if (!file) throw new Refusal("not-found");
  return { file, student };
}

type DocumentReview = {
  file: { id: string; kind: DocumentKind };
  state: ReviewDecision;
  reason: string;
  at: Date;
};

export function notificationOfReview(
  studentId: string,
  { file, state, reason, at }: DocumentReview,
): NewNotification {
  const shared = {
    userId: studentId,
    eventKey: `document-${state}:${file.id}:${at.getTime()}`,
    topic: `document:${file.kind}`,
    ids: { studentId, documentId: file.id },
    path: "/student-documents",
  };
  const document = documentLabel[file.kind];
  return state === "approved"
    ? { ...shared, kind: "documentApproved", about: { document } }
    : { ...shared, kind: "documentRejected", about: { document, reason } };
}
