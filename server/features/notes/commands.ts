import { randomUUID } from "node:crypto";
import { and, eq, ne } from "drizzle-orm";
import { handoverNoteProblem, type NoteKind, noteLimits, noteProblem, notesFull } from "#domain/note.ts";
import { notesTopic } from "#protocol/live-topic.ts";
import { lockForResponsible } from "#server/features/assignments/queries.ts";
import { type Actor, type AuditEntry, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { lockSubject, type NoteSubject, pinOf } from "./queries.ts";
import { note, notePin } from "./tables.ts";

/** Writes a note about a student or an application, for the assigned agent or an admin. */
export async function addNote(
  services: Services,
  actor: Actor,
  subject: NoteSubject,
  form: { kind: NoteKind; text: string },
): Promise<{ id: string }> {
  const problem = noteProblem(form.text);
  return await services.database.transaction(async (tx) => {
    const { student, applicationId } = await lockSubject(tx, actor, subject);
    if (problem) throw Refusal.of(problem);
    if ((await tx.$count(note, eq(note.studentId, student.id))) >= noteLimits.perStudent)
      throw Refusal.of(notesFull);
    const id = randomUUID();
    await insertNotes(tx, actor, [{ id, studentId: student.id }], { ...form, applicationId });
    await services.live.publish(notesTopic(student.id), "{}", tx);
    return { id };
  });
}

/** Inserts the same note about each of these students, and records it without its text. */
async function insertNotes(
  tx: Transaction,
  actor: Actor,
  about: readonly { id: string; studentId: string }[],
  { kind, text, applicationId }: { kind: NoteKind; text: string; applicationId: string | null },
): Promise<void> {
  const shared = { authorId: actor.userId, kind, text: text.trim(), applicationId };
  await tx.insert(note).values(about.map((each) => ({ ...each, ...shared })));
  const application = applicationId === null ? {} : { application: applicationId };
  const entries = about.map(
    ({ id, studentId }): AuditEntry => ({
      action: "note-added",
      ...actedBy(actor),
      subjectId: studentId,
      detail: { note: id, ...application },
    }),
  );
  await recordAudit(tx, ...entries);
}

/**
 * Returns a function that writes a note for the next agent in the transaction that assigns them; undefined without a
 * text. The author is the agent whom the student leaves, or an admin.
 */
export function handoverNote(actor: Actor, text: string) {
  const problem = handoverNoteProblem(text);
  if (problem) throw Refusal.of(problem);
  if (text.trim() === "") return undefined;
  return async (tx: Transaction, studentIds: readonly string[]): Promise<void> => {
    const about = studentIds.map((studentId) => ({ id: randomUUID(), studentId }));
    await insertNotes(tx, actor, about, { kind: "other", text, applicationId: null });
  };
}

/** Pins a note, replacing the one that is pinned, or unpins it. */
export async function pinNote(
  services: Services,
  actor: Actor,
  { noteId, pinned }: { noteId: string; pinned: boolean },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const [row] = await tx
      .select({ studentId: note.studentId, applicationId: note.applicationId })
      .from(note)
      .where(eq(note.id, noteId));
    const student = await lockForResponsible(tx, actor, row?.studentId ?? null);
    if (!row) throw new Refusal("not-found");
    const { studentId, applicationId } = row;
    const target = [notePin.studentId, notePin.applicationId];
    const rows = pinned
      ? await tx
          .insert(notePin)
          .values({ studentId, applicationId, noteId })
          .onConflictDoUpdate({ target, set: { noteId }, setWhere: ne(notePin.noteId, noteId) })
          .returning({ noteId: notePin.noteId })
      : await tx
          .delete(notePin)
          .where(and(pinOf(studentId, applicationId), eq(notePin.noteId, noteId)))
          .returning({ noteId: notePin.noteId });
    if (rows.length === 0) return;
    await recordAudit(tx, {
      action: pinned ? "note-pinned" : "note-unpinned",
      ...actedBy(actor),
      subjectId: student.id,
      detail: { note: noteId },
    });
    await services.live.publish(notesTopic(student.id), "{}", tx);
  });
}
