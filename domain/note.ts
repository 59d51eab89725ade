import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";

/** Ways in which staff and student were in touch. */
export const noteKinds = ["call", "email", "message", "meeting", "video", "other"] as const;
export type NoteKind = (typeof noteKinds)[number];

export const isNoteKind = (text: string): text is NoteKind => noteKinds.some((kind) => kind === text);

export const noteKindLabels: Record<NoteKind, string> = {
  call: "Call",
  email: "Email",
  message: "Message",
  meeting: "Meeting",
  video: "Video call",
  other: "Other",
};

/** Most characters of a note without surrounding spaces; most notes about one student. */
export const noteLimits = { text: 4000, perStudent: 2000 } as const;

/** Returns what is wrong with a note, or null. */
export const noteProblem = (text: string): Problem<"text"> | null =>
  text.trim() === ""
    ? wrong("text", "Please write the note first.")
    : tooLong("text", "The note", text, noteLimits.text);

/** Returns what is wrong with a note for the next agent, or null. The note is optional. */
export const handoverNoteProblem = (note: string): Problem<"note"> | null =>
  tooLong("note", "The note", note, noteLimits.text);

/** Shown when a student has the maximum number of notes. */
export const notesFull: Problem = {
  code: "resource-exhausted",
  message: `A student can have at most ${noteLimits.perStudent} notes.`,
};
