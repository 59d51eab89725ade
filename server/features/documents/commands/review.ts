import { eq } from "drizzle-orm";
import { type DocumentKind, type DocumentState, documentLabel } from "#domain/document.ts";
import { decideReview, type ReviewDecision } from "#domain/document-review.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { guides } from "#domain/permission.ts";
import { standingOf } from "#server/features/account/queries.ts";
import { type Actor, type AuditAction, recordAudit } from "#server/features/audit/commands.ts";
import { notify, touchDesks } from "#server/features/notifications/commands.ts";
import { type GuidedStudent, lockStudent } from "#server/features/students/queries.ts";
import type { Transaction } from "#server/platform/database.ts";
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
/** `changed`: somebody else decided, or the student replaced or moved the file. `notFound` is also said to who may not look. */
export type ReviewResult = { kind: "done" | "notFound" | "changed" } | { kind: "problem"; problem: Problem };

const told = { approved: "documentApproved", rejected: "documentRejected" } as const;
const audited: Record<ReviewDecision, AuditAction> = {
  approved: "document-approved",
  rejected: "document-rejected",
};

/** Approves a document or rejects it with a reason; the student is told. */
export async function reviewDocument(
  services: Services,
  actor: Actor,
  review: Review,
): Promise<ReviewResult> {
  return await services.database.transaction(async (tx) => {
    const found = await lockForReview(tx, actor, review.documentId);
    if (!found) return { kind: "notFound" };
    const { file, student } = found;
    const isGone = file.replacedAt !== null || file.kind !== review.kind;
    const standsAs = { state: file.state, seen: review.seen, isGone };
    const outcome = decideReview(review.decision, standsAs, review.reason);
    if (outcome.kind === "problem") return outcome;
    if (outcome.kind === "notPossible") return { kind: "changed" };
    const { state, reason } = outcome;
    const reviewedAt = new Date();
    await tx
      .update(document)
      .set({ state, reason, reviewedBy: actor.userId, reviewedAt })
      .where(eq(document.id, file.id));
    const eventKey = `document-${state}:${file.id}:${reviewedAt.getTime()}`;
    await tell(services, tx, actor, student, { file, state, reason, eventKey });
    return { kind: "done" };
  });
}

/** The document and its student, unchangeable until the transaction ends; null for whoever does not guide the student. */
async function lockForReview(tx: Transaction, actor: Actor, documentId: string) {
  const standing = await standingOf(tx, actor.userId);
  const before = await documentById(tx, documentId);
  const student = before && (await lockStudent(tx, before.studentId));
  if (!standing || !student || !guides({ ...standing, id: actor.userId }, student)) return null;
  // Locked after the student, as an upload does it.
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
  return file ? { file, student } : null;
}

type Reviewed = {
  file: NonNullable<Awaited<ReturnType<typeof lockForReview>>>["file"];
  state: ReviewDecision;
  reason: string;
  eventKey: string;
};

async function tell(
  services: Services,
  tx: Transaction,
  actor: Actor,
  student: GuidedStudent,
  { file, state, reason, eventKey }: Reviewed,
): Promise<void> {
  await recordAudit(tx, {
    action: audited[state],
    actorId: actor.userId,
    subjectId: student.id,
    address: actor.address,
    detail: { document: file.id, kind: file.kind },
  });
  await notify(services, tx, {
    userId: student.id,
    kind: told[state],
    eventKey,
    topic: `document:${file.kind}`,
    about: { document: documentLabel[file.kind], ...(reason && { reason }) },
    path: "/student-documents",
  });
  await touchDesks(services, tx, student.id, student.assignedAgentId, actor.userId);
}
