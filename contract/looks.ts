import { z } from "zod";
import { documentKinds } from "#domain/document.ts";
import { lookReasonLimit, lookRights } from "#domain/look.ts";
import { looksPerPage } from "#protocol/page-sizes.ts";
import { done, guarded, id, pageOf, text } from "./base.ts";
import { declared } from "./errors.ts";

/** The user who looked. `name` is null once the account is deleted, and empty for an admin without one. */
const viewer = z.object({ right: z.enum(lookRights), name: z.string().nullable(), agency: z.string() });

/**
 * The subject of a look. `name` is the file's, a requested document's title or an offer's programme, and null once it
 * is deleted; `studyRecord` is qualifications and tests, `studentFile` all data about the student as one zip, `export`
 * the identity details in a list of many students.
 */
const subject = z.discriminatedUnion("thing", [
  z.object({ thing: z.literal("identity") }),
  z.object({ thing: z.literal("studentFile") }),
  z.object({ thing: z.literal("studyRecord") }),
  z.object({ thing: z.literal("export") }),
  z.object({
    thing: z.literal("document"),
    kind: z.enum(documentKinds).nullable(),
    name: z.string().nullable(),
    saved: z.boolean(),
  }),
  z.object({
    thing: z.enum(["requestedDocument", "offerLetter", "messageFile"]),
    name: z.string().nullable(),
    saved: z.boolean(),
  }),
]);
export type LookSubject = z.infer<typeof subject>;

/** Looks of one user without a pause of more than half an hour. `reasons` are those that an admin gave. */
const lookRow = z.object({
  id: z.string(),
  from: z.date(),
  to: z.date(),
  viewer,
  seen: z.array(subject),
  reasons: z.array(z.string()),
});
export type LookRow = z.infer<typeof lookRow>;

/** Looks at students' identity details and files (docs/product.md, "Who looked"). */
export const looks = {
  /** Looks at the student's own data, newest first. A page may have a few more rows, so that no row is split. */
  mine: guarded({ who: "student", reads: true })
    .input(z.object(pageOf(looksPerPage)))
    .output(z.object({ looks: z.array(lookRow), next: z.string().nullable() })),

  /**
   * Gives an admin's reason for opening a student's papers. It is valid for that student and session for 30 minutes;
   * without one those calls return `look/reason-required`.
   */
  giveReason: guarded({ who: "admin" })
    .errors(declared("not-found", "form/incomplete"))
    .input(z.object({ studentId: id, reason: text(4 * lookReasonLimit) }))
    .output(done),
};
