import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, inArray, isNotNull, isNull, type SQL } from "drizzle-orm";
import { type DocumentKind, documentLabel, documentLimits, uploadRefusal } from "#domain/document.ts";
import type { StudentRecord } from "#server/features/assignments/queries.ts";
import { pathToStudent, staffOf } from "#server/features/assignments/staff.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { removeUnrecorded } from "#server/features/files/tidy-files.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Body } from "#server/platform/receive-upload.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { storageProblemFor } from "../queries.ts";
import { document } from "../tables.ts";
import { lockOwner, notificationsOfEntry, type OnBehalf } from "./on-behalf.ts";
import { type KeptFile, storeUpload } from "./store-upload.ts";

/** `size` is in bytes, as the browser announced it; null if it did not. The caller has checked the name. */
export type Upload = {
  kind: DocumentKind;
  name: string;
  size: number | null;
  body: Body;
};

/**
 * Uploads a file into one of a student's slots, by the student or on their behalf: the file then names the uploader,
 * and the student is notified. The later of two concurrent uploads to a slot replaces the earlier, which is kept like
 * other earlier versions. Resolves to the document's id.
 */
export async function uploadDocument(
  services: Services,
  actor: Actor,
  { kind, name, ...upload }: Upload,
  onBehalf: OnBehalf | null = null,
): Promise<string> {
  const studentId = onBehalf?.studentId ?? actor.userId;
  const storageKey = `documents/${kind}/${studentId}/${randomUUID()}`;
  const incoming = { ...upload, storageKey, refusal: uploadRefusal, detail: { kind } };
  return await storeUpload(services, actor, incoming, (tx, file) =>
    record(services, tx, actor, onBehalf, { kind, name, storageKey, ...file }),
  );
}

type StoredUpload = KeptFile & { kind: DocumentKind; name: string; storageKey: string };

/** Records the file in its slot and notifies its reviewers. */
async function record(
  services: Services,
  tx: Transaction,
  actor: Actor,
  onBehalf: OnBehalf | null,
  file: StoredUpload,
): Promise<string> {
  const student = await lockOwner(tx, actor, onBehalf);
  const { kind, name, storageKey, bytes, type, sha256, scan } = file;
  const inSlot = and(eq(document.studentId, student.id), eq(document.kind, kind));
  await tx
    .update(document)
    .set({ replacedAt: new Date() })
    .where(and(inSlot, isNull(document.replacedAt)));
  const unused = await deleteOldest(tx, inSlot);
  // The records are gone by now, so the nightly tidy-up deletes files that a crash leaves behind here.
  tx.afterCommit(() => removeUnrecorded(services, unused));
  const full = await storageProblemFor(tx, student.id, bytes);
  if (full) throw Refusal.of(uploadRefusal[full]);
  const id = randomUUID();
  await tx.insert(storedFile).values({
    key: storageKey,
    purpose: "document",
    recordId: id,
    ownerId: student.id,
    name,
    mediaType: type,
    size: bytes,
    sha256,
    scan,
    uploadedBy: onBehalf && actor.userId,
  });
  await tx.insert(document).values({
    id,
    studentId: student.id,
    kind,
    storageKey,
    originalName: name,
    mediaType: type,
    size: bytes,
  });
  await recordAudit(tx, {
    action: "document-uploaded",
    ...actedBy(actor),
    subjectId: student.id,
    detail: { document: id, kind },
  });
  const change = { studentId: student.id, kind, document: "uploaded", reason: "" } as const;
  await services.studyEvents.slotChanged(services, tx, change);
  const notifications = notificationsOfUpload(student, { id, kind }, await staffOf(tx, student.id, "papers"));
  await notify(services, tx, ...notifications.filter(({ userId }) => userId !== actor.userId));
  if (onBehalf)
    await notify(services, tx, {
      ...(await notificationsOfEntry(tx, actor, documentLabel[kind])),
      userId: student.id,
      eventKey: `entered-for-you:document:${id}`,
      topic: `entered-for-you:${kind}`,
      ids: { studentId: student.id, documentId: id },
      path: "/student-documents",
    });
  await broadcastDashboards(services, tx, "documents", student.id, student.assignedAgentId);
  return id;
}

export const notificationsOfUpload = (
  student: Pick<StudentRecord, "id" | "name" | "assignedAgentId">,
  { id, kind }: { id: string; kind: DocumentKind },
  reviewers: readonly string[],
): NewNotification[] =>
  reviewers.map((userId) => ({
    userId,
    kind: "documentUploaded",
    eventKey: `document-uploaded:${id}`,
    topic: `document:${student.id}:${kind}`,
    about: { student: student.name, document: documentLabel[kind] },
    ids: { studentId: student.id, documentId: id },
    path: pathToStudent(student, userId),
  }));

/** Deletes the records of all but the latest replaced versions in a slot; returns the storage keys of their files. */
async function deleteOldest(tx: Transaction, inSlot: SQL | undefined): Promise<string[]> {
  const oldest = await tx
    .select({ id: document.id })
    .from(document)
    .where(and(inSlot, isNotNull(document.replacedAt)))
    .orderBy(desc(document.replacedAt), asc(document.id))
    .offset(documentLimits.earlier);
  if (oldest.length === 0) return [];
  const ids = oldest.map(({ id }) => id);
  const deleted = await tx
    .delete(document)
    .where(inArray(document.id, ids))
    .returning({ key: document.storageKey });
  return deleted.map(({ key }) => key);
}
