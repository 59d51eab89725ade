import { and, count, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { DocumentSlot } from "#contract/documents.ts";
import { type DocumentKind, type DocumentState, documentKinds } from "#domain/document.ts";
import { maySeeIdentity } from "#domain/permission.ts";
import type { Session } from "#server/features/account/sessions.ts";
import { studentById } from "#server/features/students/queries.ts";
import type { Database, Transaction } from "#server/platform/database.ts";
import { document } from "./tables.ts";

type Reader = Database["db"] | Transaction;

/** A student's six slots, in their order. */
export async function slotsOf(db: Reader, studentId: string): Promise<DocumentSlot[]> {
  const [current, earlier] = await Promise.all([
    db
      .select({
        kind: document.kind,
        id: document.id,
        state: document.state,
        reason: document.reason,
        name: document.originalName,
        type: document.mediaType,
        size: document.size,
        uploadedAt: document.uploadedAt,
        reviewedAt: document.reviewedAt,
      })
      .from(document)
      .where(and(eq(document.studentId, studentId), isNull(document.replacedAt))),
    db
      .select({ kind: document.kind, number: count() })
      .from(document)
      .where(and(eq(document.studentId, studentId), isNotNull(document.replacedAt)))
      .groupBy(document.kind),
  ]);
  return documentKinds.map((kind) => {
    const found = current.find((row) => row.kind === kind);
    return {
      kind,
      current: found ? fileOf(found) : null,
      earlier: earlier.find((row) => row.kind === kind)?.number ?? 0,
    };
  });
}

type Row = NonNullable<DocumentSlot["current"]>;
const fileOf = ({ id, state, reason, name, type, size, uploadedAt, reviewedAt }: Row): Row => ({
  id,
  state,
  reason,
  name,
  type,
  size,
  uploadedAt,
  reviewedAt,
});

/** How the documents of these students stand that are in their slots now. */
export async function currentDocuments(db: Reader, studentIds: string[]) {
  return await db
    .select({
      studentId: document.studentId,
      kind: document.kind,
      state: document.state,
      reason: document.reason,
    })
    .from(document)
    .where(and(sql`${document.studentId} = any(${sql.param(studentIds)})`, isNull(document.replacedAt)));
}

type Current = Awaited<ReturnType<typeof currentDocuments>>[number];

/** The same of one student for counting, by kind. */
export const statesOf = (documents: readonly Current[]): Partial<Record<DocumentKind, DocumentState>> =>
  Object.fromEntries(documents.map(({ kind, state }) => [kind, state]));

/** Whose document it is, and where its bytes are. */
export async function documentById(db: Reader, id: string) {
  const [found] = await db
    .select({
      id: document.id,
      studentId: document.studentId,
      kind: document.kind,
      storageKey: document.storageKey,
      name: document.originalName,
      type: document.mediaType,
      size: document.size,
    })
    .from(document)
    .where(eq(document.id, id));
  return found ?? null;
}

export type StoredDocument = NonNullable<Awaited<ReturnType<typeof documentById>>>;

/** Whether somebody may see a student's documents, by who guides the student at this moment. */
export async function maySeeDocumentsOf(db: Reader, session: Session, studentId: string): Promise<boolean> {
  const student = await studentById(db, studentId);
  return student !== null && maySeeIdentity({ ...session, id: session.userId }, student);
}

/** A document, for who may see it; null for everyone else. */
export async function documentFor(db: Reader, session: Session, id: string): Promise<StoredDocument | null> {
  const found = await documentById(db, id);
  return found && (await maySeeDocumentsOf(db, session, found.studentId)) ? found : null;
}
