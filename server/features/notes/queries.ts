import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Note, NotePage } from "#contract/notes.ts";
import type { AccountStatus } from "#domain/account.ts";
import { isResponsibleFor } from "#domain/permission.ts";
import { notesPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import { namingFields, studentOf } from "#server/features/applications/queries.ts";
import { application } from "#server/features/applications/tables.ts";
import { lockForResponsible, type StudentRecord } from "#server/features/assignments/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Database, Reader, Transaction } from "#server/platform/database.ts";
import { type Cursor, cursorForm, descending, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { note, notePin } from "./tables.ts";

/** The subject of notes: a student, or one of a student's applications. */
export type NoteSubject = { studentId: string } | { applicationId: string };

/** Locks the student of the subject for their agent or an admin; refuses anybody else as if there were none. */
export async function lockSubject(
  tx: Transaction,
  actor: Actor,
  subject: NoteSubject,
): Promise<{ student: StudentRecord; applicationId: string | null }> {
  const applicationId = "applicationId" in subject ? subject.applicationId : null;
  const studentId = "studentId" in subject ? subject.studentId : await studentOf(tx, subject.applicationId);
  return { student: await lockForResponsible(tx, actor, studentId), applicationId };
}

const newest = descending(note.at, note.id);
export const noteCursor = cursorForm("time", "text");

const notesIn = (db: Reader) =>
  db
    .select({
      id: note.id,
      kind: note.kind,
      text: note.text,
      at: note.at,
      role: user.role,
      name: user.name,
      application: { id: application.id, ...namingFields },
    })
    .from(note)
    .leftJoin(user, eq(user.id, note.authorId))
    .leftJoin(application, eq(application.id, note.applicationId))
    .$dynamic();

type Row = Awaited<ReturnType<typeof notesIn>>[number];

const noteOf = ({ id, kind, text, at, role, name, application }: Row): Note => ({
  id,
  kind,
  text,
  at,
  author: role === null ? null : { role, name: name ?? "" },
  application,
});

/**
 * Lists a page of notes for the student's agent or an admin. The assignment is locked meanwhile, so that a former agent
 * can't read notes once another agent is assigned.
 */
export async function listNotes(
  { transaction }: Pick<Database, "transaction">,
  actor: Actor,
  subject: NoteSubject,
  cursor: Cursor | null,
  limit = notesPerPage,
): Promise<NotePage> {
  return await transaction(async (tx) => {
    const { student, applicationId } = await lockSubject(tx, actor, subject);
    const about =
      applicationId === null ? eq(note.studentId, student.id) : eq(note.applicationId, applicationId);
    const candidates = await notesIn(tx)
      .where(and(about, newest.after(cursor)))
      .orderBy(...newest.by)
      .limit(limit + 1);
    const { rows, next } = paginate(candidates, limit, (last) => writeCursor([last.at, last.id]));
    const [pinned] = await notesIn(tx)
      .innerJoin(notePin, eq(notePin.noteId, note.id))
      .where(pinOf(student.id, applicationId));
    return { pinned: pinned ? noteOf(pinned) : null, notes: rows.map(noteOf), next };
  });
}

/** Selects the pin about a student, or about one of their applications. */
export const pinOf = (studentId: string, applicationId: string | null) =>
  and(
    eq(notePin.studentId, studentId),
    applicationId === null ? isNull(notePin.applicationId) : eq(notePin.applicationId, applicationId),
  );

/** Returns the students whose notes a viewer may watch, by id: an agent's own, or any for an admin. */
export async function studentsOfWatchableNotes(
  db: Reader,
  viewer: AccountStatus & { userId: string },
  ids: readonly string[],
): Promise<Map<string, string>> {
  const students = await db
    .select({ id: user.id, assignedAgentId: user.assignedAgentId })
    .from(user)
    .where(and(inArray(user.id, [...ids]), sql`${user.role} = 'student'`));
  const who = { ...viewer, id: viewer.userId };
  return new Map(
    students.filter((student) => isResponsibleFor(who, student)).map(({ id }) => [id, id] as const),
  );
}
