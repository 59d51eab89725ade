import { and, eq, sql } from "drizzle-orm";
import { moverOf } from "#domain/application-step.ts";
import { storageProblem, type UploadProblem } from "#domain/document.ts";
import { maySeeIdentity } from "#domain/permission.ts";
import { isUuid } from "#domain/uuid.ts";
import { user } from "#server/features/account/tables.ts";
import { requireViewReason } from "#server/features/assignments/commands/look-reason.ts";
import { studentColumns } from "#server/features/assignments/queries.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import { holderOf } from "./participation.ts";
import { messageFile } from "./tables.ts";

type OpenedFile = NonNullable<Awaited<ReturnType<typeof fileFor>>>;

/** Returns the right by which a file is opened, for the audit log. Files from staff need no reason of an admin. */
export const viewRightForFile = async (db: Reader, session: Session, { side, student }: OpenedFile) =>
  side === "student" ? await requireViewReason(db, session, student) : {};

/** Returns a sent file and its thread to a participant; null for other users. */
export async function fileFor(db: Reader, viewer: Session, fileId: string) {
  if (!isUuid(fileId)) return null;
  // A single statement makes a missing file take as long as a forbidden one.
  const [row] = await db
    .select({
      file: {
        id: messageFile.id,
        studentId: messageFile.studentId,
        threadId: messageFile.threadId,
        side: messageFile.side,
        storageKey: messageFile.storageKey,
        name: messageFile.name,
        type: messageFile.mediaType,
        size: messageFile.size,
      },
      student: studentColumns,
    })
    .from(messageFile)
    .innerJoin(user, eq(user.id, messageFile.studentId))
    .where(and(eq(messageFile.id, fileId), sql`${messageFile.number} is not null`));
  const holder = holderOf(viewer);
  // The student's files are shared like documents.
  const isSeen =
    row?.file.side === "staff"
      ? moverOf(holder, row.student) !== null
      : row && maySeeIdentity(holder, row.student);
  return row && isSeen ? { ...row.file, student: row.student } : null;
}

/** Checks that the files in a student's messages leave room for `bytes` more; returns the problem, or null. */
export async function roomForFile(
  db: Reader,
  studentId: string,
  bytes: number,
): Promise<UploadProblem | null> {
  const [row] = await db
    .select({
      isVerified: user.emailVerified,
      stored: sql<number>`(select coalesce(sum(size), 0)::float8 from message_file where student_id = ${studentId})`,
    })
    .from(user)
    .where(eq(user.id, studentId));
  return storageProblem(row?.stored ?? 0, bytes, row?.isVerified ?? false);
}
