import { index, pgTable, text, unique } from "drizzle-orm/pg-core";
import type { NoteKind } from "#domain/note.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";
import { application } from "../applications/tables.ts";

/**
 * Internal notes of staff about a student, which the student never sees on a screen. Append-only: a trigger refuses
 * every change and removal, except by `erase_notes`. The author is named by account id without a foreign key, so that a
 * note outlives the account.
 */
export const note = pgTable(
  "note",
  {
    id: text("id").primaryKey(),
    studentId: text("student_id")
      .notNull()
      .references(() => user.id),
    /** Null for a note about the student. */
    applicationId: text("application_id").references(() => application.id),
    authorId: text("author_id").notNull(),
    kind: text("kind").$type<NoteKind>().notNull(),
    text: text("text").notNull(),
    at: at("at").notNull().defaultNow(),
  },
  (table) => [
    index().on(table.studentId, table.at, table.id),
    index().on(table.applicationId, table.at, table.id),
  ],
);

/** The pinned note about a student, and about each of the student's applications. */
export const notePin = pgTable(
  "note_pin",
  {
    studentId: text("student_id")
      .notNull()
      .references(() => user.id),
    applicationId: text("application_id"),
    noteId: text("note_id")
      .notNull()
      .references(() => note.id),
  },
  (table) => [unique("note_pin_of").on(table.studentId, table.applicationId).nullsNotDistinct()],
);
