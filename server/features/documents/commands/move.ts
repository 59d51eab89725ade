import { and, asc, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { AuditDetail } from "#domain/audit-detail.ts";
import type { DocumentKind } from "#domain/document.ts";
import { decideMove, mayBeTakenBack } from "#domain/document-slots.ts";
import { isStudent } from "#domain/permission.ts";
import { lockStatus } from "#server/features/account/queries.ts";
import { lockStudent } from "#server/features/assignments/queries.ts";
import { type Actor, type AuditEntry, recordOwn } from "#server/features/audit/commands.ts";
import { removeUnrecorded } from "#server/features/files/tidy-files.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { document } from "../tables.ts";

/** The review columns of a file that waits for review again, as after an upload. */
const unreviewed = { state: "uploaded", reason: "", reviewedBy: null, reviewedAt: null } as const;

/** Moves a student's own file to another slot, and swaps it with the file there. Approved files can't be moved. */
export async function moveDocument(
  services: Services,
  actor: Actor,
  { documentId, to }: { documentId: string; to: DocumentKind },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const { file, files, agentId } = await lockSlots(tx, actor, documentId);
    const other = files.find(({ kind }) => kind === to);
    if (file.kind === to || decideMove(file.state, other?.state ?? null) === "conflict")
      throw Refusal.conflict();
    // Two current files never share a slot, not even for a moment.
    if (other) await tx.update(document).set({ replacedAt: new Date() }).where(eq(document.id, other.id));
    await tx
      .update(document)
      .set({ ...unreviewed, kind: to })
      .where(eq(document.id, file.id));
    if (other)
      await tx
        .update(document)
        .set({ ...unreviewed, kind: file.kind, replacedAt: null })
        .where(eq(document.id, other.id));
    else await restore(tx, actor.userId, file.kind);
    const slot = { studentId: actor.userId, reason: "" };
    await services.studyEvents.slotChanged(services, tx, { ...slot, kind: to, document: "uploaded" });
    const state = other ? "uploaded" : "gone";
    await services.studyEvents.slotChanged(services, tx, { ...slot, kind: file.kind, document: state });
    const detail: AuditDetail = {
      document: file.id,
      from: file.kind,
      to,
      ...(other && { swapped: other.id }),
    };
    await recordAndBroadcast(services, tx, actor, agentId, "document-moved", detail);
  });
}

/** Deletes a student's own file, and restores the previous version in the slot. */
export async function takeBackDocument(services: Services, actor: Actor, documentId: string): Promise<void> {
  await services.database.transaction(async (tx) => {
    const { file, agentId } = await lockSlots(tx, actor, documentId);
    if (!mayBeTakenBack(file.state)) throw Refusal.conflict();
    await tx.delete(document).where(eq(document.id, file.id));
    await restore(tx, actor.userId, file.kind);
    const change = { studentId: actor.userId, kind: file.kind, document: "gone", reason: "" } as const;
    await services.studyEvents.slotChanged(services, tx, change);
    const detail: AuditDetail = { document: file.id, kind: file.kind };
    await recordAndBroadcast(services, tx, actor, agentId, "document-taken-back", detail);
    // The nightly tidy-up deletes files that a crash leaves behind here.
    tx.afterCommit(() => removeUnrecorded(services, [file.storageKey]));
  });
}

/** Locks the student's file and all files in their slots until the transaction ends. */
async function lockSlots(tx: Transaction, { userId }: Actor, documentId: string) {
  // An upload takes this exclusive lock too. An agent's review waits, and then finds the new state of the file.
  const student = await lockStudent(tx, userId, "update");
  const status = await lockStatus(tx, userId);
  if (!student || !status || !isStudent(status)) throw new Refusal("not-found");
  const files = await tx
    .select({
      id: document.id,
      kind: document.kind,
      state: document.state,
      storageKey: document.storageKey,
    })
    .from(document)
    .where(and(eq(document.studentId, userId), isNull(document.replacedAt)));
  const file = files.find(({ id }) => id === documentId);
  if (!file) throw new Refusal("not-found");
  return { file, files, agentId: student.assignedAgentId };
}

/** Restores the latest replaced version in a slot, unchanged. */
async function restore(tx: Transaction, studentId: string, kind: DocumentKind): Promise<void> {
  const [latest] = await tx
    .select({ id: document.id })
    .from(document)
    .where(and(eq(document.studentId, studentId), eq(document.kind, kind), isNotNull(document.replacedAt)))
    .orderBy(desc(document.replacedAt), asc(document.id))
    .limit(1);
  if (latest) await tx.update(document).set({ replacedAt: null }).where(eq(document.id, latest.id));
}

async function recordAndBroadcast(
  services: Services,
  tx: Transaction,
  actor: Actor,
  agentId: string | null,
  action: AuditEntry["action"],
  detail: AuditDetail,
): Promise<void> {
  await recordOwn(tx, action, actor, detail);
  await broadcastDashboards(services, tx, "documents", actor.userId, agentId);
}
