import { and, asc, desc, eq, isNull, sql, sum } from "drizzle-orm";
import type { DocumentSlot } from "#contract/documents.ts";
import {
  type DocumentKind,
  type DocumentState,
  documentKinds,
  storageProblem,
  type UploadProblem,
} from "#domain/document.ts";
import { maySeeIdentity } from "#domain/permission.ts";
import { user } from "#server/features/account/tables.ts";
import { studentById, studentColumns } from "#server/features/assignments/queries.ts";
import { staffOfEach } from "#server/features/assignments/staff.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { enteredBy, entry, uploader } from "#server/features/files/uploaded-by.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import { document } from "./tables.ts";

/** Returns a student's six slots, in their order. */
export async function slotsOf(db: Reader, studentId: string): Promise<DocumentSlot[]> {
  const rows = await db
    .select({
      kind: document.kind,
      replacedAt: document.replacedAt,
      file: {
        id: document.id,
        state: document.state,
        reason: document.reason,
        name: document.originalName,
        type: document.mediaType,
        size: document.size,
        uploadedAt: document.uploadedAt,
        reviewedAt: document.reviewedAt,
      },
      entry,
    })
    .from(document)
    .leftJoin(storedFile, eq(storedFile.key, document.storageKey))
    .leftJoin(uploader, eq(uploader.id, storedFile.uploadedBy))
    .where(eq(document.studentId, studentId))
    .orderBy(desc(document.replacedAt), asc(document.id));
  return documentKinds.map((kind) => {
    const own = rows
      .filter((row) => row.kind === kind)
      .map(({ replacedAt, file, entry: by }) => ({
        replacedAt,
        file: { ...file, enteredBy: enteredBy(by) },
      }));
    return {
      kind,
      current: own.find(({ replacedAt }) => replacedAt === null)?.file ?? null,
      earlier: own.filter(({ replacedAt }) => replacedAt !== null).map(({ file }) => file),
    };
  });
}

/** Returns the documents that are in these students' slots now, with their states. */
export async function currentDocuments(db: Reader, studentIds: string[]) {
  return await db
    .select({
      studentId: document.studentId,
      kind: document.kind,
      state: document.state,
      reason: document.reason,
      uploadedAt: document.uploadedAt,
      entry,
    })
    .from(document)
    .leftJoin(storedFile, eq(storedFile.key, document.storageKey))
    .leftJoin(uploader, eq(uploader.id, storedFile.uploadedBy))
    .where(and(sql`${document.studentId} = any(${sql.param(studentIds)})`, isNull(document.replacedAt)));
}

type CurrentDocument = Awaited<ReturnType<typeof currentDocuments>>[number];

/** Maps one student's documents to their states by kind, for counting. */
export const statesOf = (
  documents: readonly CurrentDocument[],
): Partial<Record<DocumentKind, DocumentState>> =>
  Object.fromEntries(documents.map(({ kind, state }) => [kind, state]));

/** Checks that the student's files leave room for `bytes` more; returns the problem, or null. */
export async function storageProblemFor(
  db: Reader,
  studentId: string,
  bytes: number,
): Promise<UploadProblem | null> {
  const [owner] = await db
    .select({ isVerified: user.emailVerified })
    .from(user)
    .where(eq(user.id, studentId));
  const [documents] = await db
    .select({ bytes: sum(document.size).mapWith(Number) })
    .from(document)
    .where(eq(document.studentId, studentId));
  // Files that were sent on request count too.
  const [requested] = await db
    .select({ bytes: sum(storedFile.size).mapWith(Number) })
    .from(storedFile)
    .where(and(eq(storedFile.ownerId, studentId), eq(storedFile.purpose, "requestedFile")));
  const all = (documents?.bytes ?? 0) + (requested?.bytes ?? 0);
  return storageProblem(all, bytes, owner?.isVerified ?? false);
}

const columns = {
  id: document.id,
  studentId: document.studentId,
  kind: document.kind,
  storageKey: document.storageKey,
  name: document.originalName,
  type: document.mediaType,
  size: document.size,
};

/** Returns a document's student and the place of its bytes; null for an unknown id. */
export async function documentById(db: Reader, id: string) {
  const [row] = await db.select(columns).from(document).where(eq(document.id, id));
  return row ?? null;
}

export type StoredDocument = NonNullable<Awaited<ReturnType<typeof documentById>>>;

/** Whether the session's user may see a student's documents, by the student's current assignment. */
export async function maySeeDocumentsOf(db: Reader, session: Session, studentId: string): Promise<boolean> {
  const student = await studentById(db, studentId);
  return student !== null && maySeeIdentity({ ...session, id: session.userId }, student);
}

/** Returns a document and its student to people who may see it; null for everyone else. */
export async function documentFor(db: Reader, session: Session, id: string) {
  // A single statement makes a missing document take as long as a forbidden one.
  const [row] = await db
    .select({
      file: columns,
      student: studentColumns,
    })
    .from(document)
    .innerJoin(user, eq(user.id, document.studentId))
    .where(and(eq(document.id, id), eq(user.role, "student")));
  return row && maySeeIdentity({ ...session, id: session.userId }, row.student) ? row : null;
}

const announcedStates = {
  documentUploaded: "uploaded",
  documentApproved: "approved",
  documentRejected: "rejected",
};

/**
 * Keeps a document's notifications while it is in its slot in that state, for its student and its current reviewers.
 */
export const currentDocumentNotifications: NotificationCheck<keyof typeof announcedStates> = async (
  db,
  notifications,
) => {
  const ids = notifications.flatMap((each) => each.ids?.documentId ?? []);
  const rows = await db
    .select({ id: document.id, state: document.state, studentId: document.studentId })
    .from(document)
    .where(and(sql`${document.id} = any(${sql.param(ids)}::text[])`, isNull(document.replacedAt)));
  const documents = new Map(rows.map((row) => [row.id, row]));
  const staff = await staffOfEach(
    db,
    rows.map(({ studentId }) => studentId),
    "papers",
  );
  const states: Partial<Record<string, string>> = announcedStates;
  return notifications.filter(({ kind, ids: about, userId }) => {
    if (!about?.documentId) return true;
    const row = documents.get(about.documentId);
    if (!row || row.state !== states[kind]) return false;
    return userId === row.studentId || staff.get(row.studentId)?.includes(userId);
  });
};
