import { z } from "zod";
import { documentKinds, documentStates, documentTypes } from "#domain/document.ts";
import { reviewDecisions } from "#domain/document-review.ts";
import { done, guarded, id, text } from "./base.ts";
import { declared } from "./errors.ts";

/** An uploaded file. `size` in bytes; `reason` is why it was rejected. */
const documentFile = z.object({
  id: z.string(),
  state: z.enum(documentStates),
  reason: z.string(),
  name: z.string(),
  type: z.enum(documentTypes),
  size: z.number().int(),
  uploadedAt: z.date(),
  reviewedAt: z.date().nullable(),
});
export type DocumentFile = z.infer<typeof documentFile>;

/** One of the six; `earlier` counts the versions that were replaced and are kept. */
const documentSlot = z.object({
  kind: z.enum(documentKinds),
  current: documentFile.nullable(),
  earlier: z.number().int(),
});
export type DocumentSlot = z.infer<typeof documentSlot>;

/** How a file is opened: in the browser, or as a download. */
export const linkModes = ["view", "download"] as const;
export type LinkMode = (typeof linkModes)[number];

/**
 * A student's documents (spec 3, product decisions "Documents" to "Review"): for the student, the assigned agent
 * and admins; to everyone else there are none. Files themselves come in by POST /files/documents/{kind}.
 */
export const documents = {
  /** All six slots, in their order. */
  ofStudent: guarded
    .errors(declared("not-found"))
    .input(z.object({ studentId: id }))
    .output(z.object({ slots: z.array(documentSlot) })),

  /** An address for one file, for 5 minutes and this session alone. Each use of it is in the audit log. */
  link: guarded
    .errors(declared("not-found"))
    .input(z.object({ documentId: id, mode: z.enum(linkModes) }))
    .output(z.object({ url: z.string(), expiresAt: z.date() })),

  /**
   * Approves, or rejects with a reason. `seen` is the state that the reviewer saw: `failed-precondition` when it is
   * another by now, or the student has replaced the file.
   */
  review: guarded
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        documentId: id,
        decision: z.enum(reviewDecisions),
        seen: z.enum(documentStates),
        reason: text(4096).default(""),
      }),
    )
    .output(done),
};
