import { randomUUID } from "node:crypto";
import { and, eq, inArray, or } from "drizzle-orm";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { type UploadProblem, uploadRefusal } from "#domain/document.ts";
import { isWanted, requestTitle } from "#domain/document-request.ts";
import { mayActOnBehalf, maySeeIdentity } from "#domain/permission.ts";
import { user } from "#server/features/account/tables.ts";
import { requireFreeSpace, withUploadAllowance } from "#server/features/account/upload-share.ts";
import { studentColumns } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import {
  lockOwner,
  notificationsOfEntry,
  type OnBehalf,
  requireRightToActOnBehalf,
} from "#server/features/documents/commands/on-behalf.ts";
import { documentRules } from "#server/features/documents/commands/store-upload.ts";
import { storageProblemFor } from "#server/features/documents/queries.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { removeUnrecorded } from "#server/features/files/tidy-files.ts";
import { notify } from "#server/features/notifications/commands.ts";
import { requireClean } from "#server/features/scanning/require-clean.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { isDatabaseFailure } from "#server/platform/error-code.ts";
import { RefusedFile } from "#server/platform/inspect-file.ts";
import { type Body, receiveUpload } from "#server/platform/receive-upload.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { notificationsOfSupplied } from "./requests.ts";
import { request } from "./tables.ts";

/** `size` is in bytes as announced by the browser; null if it did not. The name is already validated. */
type Upload = { requestId: string; name: string; size: number | null; body: Body };
const refused = (problem: UploadProblem) => Refusal.of(uploadRefusal[problem]);

export const requestFilePath = (id: string): string => `/files/requests/${encodeURIComponent(id)}`;

/**
 * Scans the file for a request for viruses, stores it and submits it for review. The assigned agent may do so on the
 * student's behalf. Replaces a file that was sent back. A refused or aborted upload leaves nothing behind.
 */
export async function supplyRequest(services: Services, actor: Actor, upload: Upload): Promise<void> {
  const { storage, database } = services;
  const studentId = await requireWantedFile(database.db, actor, upload.requestId);
  const onBehalf = studentId === actor.userId ? null : { studentId, may: mayActOnBehalf };
  const storageKey = `requests/${studentId}/${randomUUID()}`;
  await requireFreeSpace(services);
  const file = await receiveUpload(storage, documentRules, upload, (draft, received) =>
    withUploadAllowance(services, actor, received.bytes, async () => {
      const detail: AuditDetail = { request: upload.requestId };
      const scan = await requireClean(services, actor, draft, { infected: uploadRefusal.infected, detail });
      await storage.take(draft, storageKey);
      return { ...received, scan };
    }),
  ).catch((error: unknown) => {
    throw error instanceof RefusedFile ? refused(error.problem) : error;
  });
  try {
    const row = { requestId: upload.requestId, name: upload.name, storageKey, ...file };
    await database.transaction((tx) => record(services, tx, actor, onBehalf, row));
  } catch (error) {
    // The nightly tidy-up deletes the file once it is certain that the database did not record it.
    if (!isDatabaseFailure(error)) await removeUnrecorded(services, [storageKey]).catch(() => {});
    throw error;
  }
}

/** Refuses a file that is not wanted before a byte of it is read. Returns the id of the request's student. */
async function requireWantedFile(db: Reader, { userId }: Actor, requestId: string): Promise<string> {
  const isOwn = eq(request.studentId, userId);
  const [row] = await db
    .select({ kind: request.kind, state: request.state, studentId: request.studentId })
    .from(request)
    .innerJoin(user, eq(user.id, request.studentId))
    .where(and(eq(request.id, requestId), or(isOwn, eq(user.assignedAgentId, userId))));
  if (!row || row.kind !== "other") throw new Refusal("not-found");
  if (row.studentId !== userId) await requireRightToActOnBehalf(db, userId, row.studentId);
  if (!isWanted(row.state)) throw Refusal.conflict();
  return row.studentId;
}

type StoredUpload = {
  requestId: string;
  name: string;
  storageKey: string;
  bytes: number;
  type: (typeof documentRules.types)[number];
  sha256: string;
  scan: "clean" | "off";
};

async function record(
  services: Services,
  tx: Transaction,
  actor: Actor,
  onBehalf: OnBehalf | null,
  file: StoredUpload,
): Promise<void> {
  // Locks exclusively, so that the second of two concurrent files finds the request supplied.
  const student = await lockOwner(tx, actor, onBehalf);
  const ownRequest = and(eq(request.id, file.requestId), eq(request.studentId, student.id));
  const [row] = await tx.select().from(request).where(ownRequest).for("update");
  if (!row || !isWanted(row.state)) throw Refusal.conflict();
  const full = await storageProblemFor(tx, student.id, file.bytes);
  if (full) throw refused(full);
  const { name, storageKey, bytes: size, type: mediaType, sha256, scan } = file;
  await tx
    .delete(storedFile)
    .where(and(eq(storedFile.purpose, "requestedFile"), eq(storedFile.recordId, row.id)));
  const former = row.storageKey;
  if (former !== null) tx.afterCommit(() => removeUnrecorded(services, [former]));
  await tx.insert(storedFile).values({
    key: storageKey,
    purpose: "requestedFile",
    recordId: row.id,
    ownerId: student.id,
    name,
    mediaType,
    size,
    sha256,
    scan,
    uploadedBy: onBehalf && actor.userId,
  });
  const now = new Date();
  const version = row.version + 1;
  await tx
    .update(request)
    .set({
      storageKey,
      originalName: name,
      mediaType,
      size,
      state: "supplied",
      note: "",
      suppliedAt: now,
      updatedAt: now,
      version,
    })
    .where(eq(request.id, row.id));
  await recordAudit(tx, {
    action: "request-supplied",
    ...actedBy(actor),
    subjectId: student.id,
    detail: { request: row.id, kind: row.kind },
  });
  const notifications = await notificationsOfSupplied(tx, student, { ...row, version });
  await notify(services, tx, ...notifications.filter(({ userId }) => userId !== actor.userId));
  if (onBehalf)
    await notify(services, tx, {
      ...(await notificationsOfEntry(tx, actor, requestTitle(row))),
      userId: student.id,
      eventKey: `entered-for-you:request:${row.id}:${version}`,
      topic: `entered-for-you:request:${row.id}`,
      ids: { studentId: student.id, requestId: row.id },
      path: "/student-dashboard",
    });
  await broadcastDashboards(services, tx, "plan", student.id, student.assignedAgentId);
}

const columns = {
  id: request.id,
  studentId: request.studentId,
  storageKey: request.storageKey,
  name: request.originalName,
  title: request.name,
  type: request.mediaType,
  size: request.size,
  suppliedAt: request.suppliedAt,
};

type Row = {
  id: string;
  studentId: string;
  storageKey: string | null;
  name: string | null;
  title: string;
  type: (typeof documentRules.types)[number] | null;
  size: number | null;
  suppliedAt: Date | null;
};

function fileOf({ id, studentId, storageKey, name, title, type, size, suppliedAt }: Row) {
  if (storageKey === null || name === null || type === null || size === null || suppliedAt === null)
    return null;
  return { id, studentId, storageKey, name, title, type, size, suppliedAt };
}
export type RequestedFile = NonNullable<ReturnType<typeof fileOf>>;

/** Returns a request's file and its student; null without one, or if the caller may not see the student's papers. */
export async function requestedFileFor(db: Reader, session: Session, id: string) {
  // A single statement makes a missing request take as long as a forbidden one.
  const [row] = await db
    .select({
      file: columns,
      student: studentColumns,
    })
    .from(request)
    .innerJoin(user, eq(user.id, request.studentId))
    .where(eq(request.id, id));
  if (!row || !maySeeIdentity({ ...session, id: session.userId }, row.student)) return null;
  const file = fileOf(row.file);
  return file && { file, student: row.student };
}

/** Lists the files that a student sent on request, without those sent back, sorted by the papers' names. */
export async function requestedFilesOf(db: Reader, studentId: string): Promise<RequestedFile[]> {
  const rows = await db
    .select(columns)
    .from(request)
    .where(and(eq(request.studentId, studentId), inArray(request.state, ["supplied", "accepted"])))
    .orderBy(request.name, request.id);
  return rows.flatMap((row) => fileOf(row) ?? []);
}

/** Returns the display name of a requested file. */
export const nameOfRequested = ({ title }: Pick<RequestedFile, "title">): string =>
  requestTitle({ kind: "other", name: title });
