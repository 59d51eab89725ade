import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, inArray, isNotNull, isNull, type SQL } from "drizzle-orm";
import {
  type DocumentKind,
  type DocumentType,
  documentLabel,
  documentLimits,
  documentTypes,
  imageProblem,
  type UploadProblem,
  uploadRefusal,
} from "#domain/document.ts";
import { isStudent } from "#domain/permission.ts";
import { studentPath } from "#protocol/addresses.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { demandFreeSpace, withinShare } from "#server/features/account/upload-share.ts";
import { lockStudent, type StudentRecord } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { removeUnrecorded } from "#server/features/files/tidy-files.ts";
import { type News, notify } from "#server/features/notifications/commands.ts";
import { demandClean } from "#server/features/scanning/demand-clean.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { isDatabaseFailure } from "#server/platform/error-code.ts";
import { RefusedFile } from "#server/platform/inspect-file.ts";
import { type Body, receiveUpload } from "#server/platform/receive-upload.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { roomFor } from "../queries.ts";
import { document } from "../tables.ts";

/** `size` is in bytes, as the browser announced it; null where it did not. The name was checked before. */
export type Upload = {
  kind: DocumentKind;
  name: string;
  size: number | null;
  body: Body;
};
export const documentRules = { types: documentTypes, bytes: documentLimits.bytes, sizeProblem: imageProblem };
const refused = (problem: UploadProblem) => Refusal.of(uploadRefusal[problem]);

/**
 * Uploads a file into one of the student's slots: it streams to disk, passes the virus scanner, and goes into the store
 * and the records. A file that is refused or breaks off leaves nothing. The later of two concurrent uploads to a slot
 * replaces the earlier, which is kept, like the version before it. Resolves to the document's id.
 */
export async function uploadDocument(services: Services, actor: Actor, upload: Upload): Promise<string> {
  const { storage, database } = services;
  const storageKey = `documents/${upload.kind}/${actor.userId}/${randomUUID()}`;
  await demandFreeSpace(services);
  const file = await receiveUpload(storage, documentRules, upload, (draft, received) =>
    withinShare(services, actor, received.bytes, async () => {
      const detail = { kind: upload.kind };
      const scan = await demandClean(services, actor, draft, { infected: uploadRefusal.infected, detail });
      await storage.take(draft, storageKey);
      return { ...received, scan };
    }),
  ).catch((error: unknown) => {
    throw error instanceof RefusedFile ? refused(error.problem) : error;
  });
  try {
    const { kind, name } = upload;
    const recorded = { kind, name, storageKey, ...file };
    return await database.transaction((tx) => record(services, tx, actor, recorded));
  } catch (error) {
    // After a database failure it is unknown whether the file was recorded: a connection can break while its commit
    // still comes through. The nightly tidy-up deletes such files, and those of failures here, once the answer is
    // certain.
    if (!isDatabaseFailure(error)) await removeUnrecorded(services, [storageKey]).catch(() => {});
    throw error;
  }
}

type StoredUpload = {
  kind: DocumentKind;
  name: string;
  storageKey: string;
  bytes: number;
  type: DocumentType;
  sha256: string;
  scan: "clean" | "off";
};

/** Records the file in its slot and notifies the agent. */
async function record(
  services: Services,
  tx: Transaction,
  actor: Actor,
  file: StoredUpload,
): Promise<string> {
  // The exclusive lock comes first, so that concurrent uploads to a slot replace each other in turn.
  const student = await lockStudent(tx, actor.userId, "update");
  await lockActor(tx, actor, isStudent);
  if (!student) throw new Refusal("permission-denied");
  const { kind, name, storageKey, bytes, type, sha256, scan } = file;
  const inSlot = and(eq(document.studentId, student.id), eq(document.kind, kind));
  await tx
    .update(document)
    .set({ replacedAt: new Date() })
    .where(and(inSlot, isNull(document.replacedAt)));
  const unused = await deleteOldest(tx, inSlot);
  // The records are gone by now, so the nightly tidy-up deletes files that a crash leaves behind here.
  tx.afterCommit(() => removeUnrecorded(services, unused));
  const full = await roomFor(tx, student.id, bytes);
  if (full) throw refused(full);
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
  await notify(services, tx, ...newsOfUpload(student, { id, kind }));
  await broadcastDashboards(services, tx, "documents", student.id, student.assignedAgentId);
  return id;
}

export function newsOfUpload(
  student: Pick<StudentRecord, "id" | "name" | "assignedAgentId">,
  { id, kind }: { id: string; kind: DocumentKind },
): News[] {
  if (student.assignedAgentId === null) return [];
  return [
    {
      userId: student.assignedAgentId,
      kind: "documentUploaded",
      eventKey: `document-uploaded:${id}`,
      topic: `document:${student.id}:${kind}`,
      about: { student: student.name, document: documentLabel[kind] },
      ids: { studentId: student.id, documentId: id },
      path: studentPath(student),
    },
  ];
}

/** Deletes the records of all but the latest replaced versions in a slot; returns the paths of their files. */
async function deleteOldest(tx: Transaction, inSlot: SQL | undefined): Promise<string[]> {
  const oldest = await tx
    .select({ id: document.id })
    .from(document)
    .where(and(inSlot, isNotNull(document.replacedAt)))
    .orderBy(desc(document.replacedAt), asc(document.id))
    .offset(documentLimits.earlier);
  if (oldest.length === 0) return [];
  const ids = oldest.map(({ id }) => id);
  const gone = await tx
    .delete(document)
    .where(inArray(document.id, ids))
    .returning({ key: document.storageKey });
  return gone.map(({ key }) => key);
}
