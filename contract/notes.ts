import { z } from "zod";
import { roles } from "#domain/account.ts";
import { noteKinds, noteLimits } from "#domain/note.ts";
import { notesPerPage } from "#protocol/page-sizes.ts";
import { applicationNames } from "./applications.ts";
import { done, guarded, id, pageOf, text } from "./base.ts";
import { declared } from "./errors.ts";

/** `author` is null once that account is deleted; `application` is null for a note about the student. */
const note = z
  .object({
    id: z.string(),
    kind: z.enum(noteKinds),
    text: z.string(),
    at: z.date(),
    author: z.object({ role: z.enum(roles), name: z.string() }).nullable(),
    application: z.object({ id: z.string(), ...applicationNames }).nullable(),
  })
  .meta({ title: "Note" });
export type Note = z.infer<typeof note>;

/** `pinned` is shown above the others, and is among them too. */
const notePage = z.object({
  pinned: note.nullable(),
  notes: z.array(note),
  next: z.string().nullable(),
});
export type NotePage = z.infer<typeof notePage>;

/** Lacks the text, since responses to programs are kept for a day, and a note is stored only in its own table. */
const writtenNote = z.object({ id: z.string() }).meta({ title: "WrittenNote" });
const noteFields = { kind: z.enum(noteKinds), text: text(4 * noteLimits.text) };
const page = pageOf(notesPerPage);

/**
 * Notes of staff, only for the student's assigned agent and admins (docs/product.md, "Notes"). A note can't be changed
 * or removed. Other callers get the same error for missing and forbidden notes.
 */
export const notes = {
  ofStudent: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/students/{studentId}/notes",
      summary: "List notes about a student",
      description:
        "Returns notes, newest first, including those about the student's applications. `pinned` is the pinned note about the student. Only the assigned agent and admins can read notes.",
    })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id, ...page }))
    .output(notePage),

  ofApplication: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/applications/{applicationId}/notes",
      summary: "List notes about an application",
      description: "Returns notes, newest first. Only the student's assigned agent and admins can read them.",
    })
    .errors(declared("not-found"))
    .input(z.object({ applicationId: id, ...page }))
    .output(notePage),

  addToStudent: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/students/{studentId}/notes",
      summary: "Write a note about a student",
      description:
        "Only the assigned agent and admins can read the note, but the student may ask to see it. It can't be changed. `resource-exhausted`: the student has the maximum number of notes.",
    })
    .errors(declared("not-found", "form/incomplete", "resource-exhausted"))
    .input(z.object({ studentId: id, ...noteFields }))
    .output(writtenNote),

  addToApplication: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/applications/{applicationId}/notes",
      summary: "Write a note about an application",
      description:
        "Only the student's assigned agent and admins can read the note, but the student may ask to see it. It can't be changed. `resource-exhausted`: the student has the maximum number of notes.",
    })
    .errors(declared("not-found", "form/incomplete", "resource-exhausted"))
    .input(z.object({ applicationId: id, ...noteFields }))
    .output(writtenNote),

  pin: guarded({ who: "staff" })
    .route({
      method: "PUT",
      path: "/notes/{noteId}/pinned",
      summary: "Pin or unpin a note",
      description: "One note can be pinned about the student, and one about each application.",
    })
    .errors(declared("not-found"))
    .input(z.object({ noteId: id, pinned: z.boolean() }))
    .output(done),
};
