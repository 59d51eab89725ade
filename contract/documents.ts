import { z } from "zod";
import { documentKinds, documentStates, documentTypes } from "#domain/document.ts";
import { reviewDecisions } from "#domain/document-review.ts";
import { done, guarded, id, text } from "./base.ts";
import { enteredBy } from "./entered-by.ts";
import { declared } from "./errors.ts";

/**
 * An uploaded file. `size` in bytes; `reason` is why it was rejected. `enteredBy` uploaded it on the student's behalf,
 * and is null for the student.
 */
const documentFile = z
  .object({
    id: z.string(),
    state: z.enum(documentStates),
    reason: z.string(),
    name: z.string(),
    type: z.enum(documentTypes),
    size: z.number().int(),
    uploadedAt: z.date(),
    enteredBy: enteredBy.nullable(),
    reviewedAt: z.date().nullable(),
  })
  .meta({ title: "Document" });
export type DocumentFile = z.infer<typeof documentFile>;

/** One of the six slots; `earlier`: the replaced versions that are kept, the latest first. */
const documentSlot = z
  .object({
    kind: z.enum(documentKinds),
    current: documentFile.nullable(),
    earlier: z.array(documentFile),
  })
  .meta({ title: "DocumentSlot" });
export type DocumentSlot = z.infer<typeof documentSlot>;

/** How a file is opened: in the browser, or as a download. */
export const linkModes = ["view", "download"] as const;
export type LinkMode = (typeof linkModes)[number];

/**
 * A student's documents. The student, the assigned agent and admins see them; everyone else gets none. Files are
 * uploaded by POST /files/documents/{kind}, and by the assigned agent by POST /files/students/{id}/documents/{kind}.
 */
export const documents = {
  ofStudent: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/students/{studentId}/documents",
      summary: "List a student's documents, without the files",
      description:
        "Returns all six slots in their order, each with its current file and the earlier versions that were kept.",
    })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id }))
    .output(z.object({ slots: z.array(documentSlot) })),

  /** Returns an address of one file, for 5 minutes and only this session. The audit log records each use. */
  link: guarded({ who: "signedIn" })
    .errors(declared("not-found", "look/reason-required"))
    .input(z.object({ documentId: id, mode: z.enum(linkModes) }))
    .output(z.object({ url: z.string(), expiresAt: z.date() })),

  /**
   * Approves a document, or rejects it with a reason. `kind` and `seen` are the slot and the state that the reviewer
   * saw. `failed-precondition`: they have changed, or the student has replaced the file.
   */
  review: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/documents/{documentId}/reviews",
      summary: "Approve or reject a document",
      description:
        "A rejection requires a `reason`, which the student reads. `kind` and `seen` are the slot and the state that you saw. `failed-precondition`: the slot or the state has changed, or the student has replaced the file.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        documentId: id,
        kind: z.enum(documentKinds),
        decision: z.enum(reviewDecisions),
        seen: z.enum(documentStates),
        reason: text(4096).default(""),
      }),
    )
    .output(done),

  /**
   * Moves the student's file to another slot, where it waits for review again, and swaps it with a file that is there.
   * A slot that is left empty gets its earlier version back. `failed-precondition`: one of the two is approved.
   */
  move: guarded({ who: "student" })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ documentId: id, to: z.enum(documentKinds) }))
    .output(done),

  /** Deletes the student's file from its slot, which gets its earlier version back. Approved files can't be deleted. */
  takeBack: guarded({ who: "student" })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ documentId: id }))
    .output(done),
};
