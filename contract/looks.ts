import { z } from "zod";
import { documentKinds } from "#domain/document.ts";
import { lookReasonLimit, lookRights } from "#domain/look.ts";
import { done, guarded, id, pageOf, text } from "./base.ts";
import { declared } from "./errors.ts";

/** The person who looked. `name` is null when the account is gone, empty for an admin without one. */
const viewer = z.object({ right: z.enum(lookRights), name: z.string().nullable(), agency: z.string() });

/**
 * The thing that was looked at. `name` is the file's, a requested document's title or an offer's programme, null when it
 * is gone; `studyRecord` is qualifications and tests, `studentFile` everything about the student as one zip, `export`
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

/** Looks of one person without a pause of more than half an hour. `reasons` are those that an admin gave. */
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
  /** The student's own, newest first; a page holds a few more rows than asked for where it would cut one in two. */
  mine: guarded({ who: "student", reads: true })
    .input(z.object(pageOf(50)))
    .output(z.object({ looks: z.array(lookRow), next: z.string().nullable() })),

  /**
   * Gives the reason for which an admin opens a student's papers. It holds for that student and session for 30 minutes;
   * without one those calls answer `look/reason-required`.
   */
  giveReason: guarded({ who: "admin" })
    .errors(declared("not-found", "form/incomplete"))
    .input(z.object({ studentId: id, reason: text(4 * lookReasonLimit) }))
    .output(done),
};
