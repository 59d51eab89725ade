import { z } from "zod";
import { currentStateLabels } from "#domain/intake.ts";
import { keysOf } from "#domain/keys-of.ts";
import { done, formText, guarded, id, uuid } from "./base.ts";
import { declared } from "./errors.ts";

/**
 * An item's programme in the catalogue. `state` is the current state of its intake, or of the programme's best one if
 * it names none; null if the programme has none.
 */
const programme = z
  .object({
    id: z.string(),
    slug: z.string(),
    intake: z.object({ id: z.string(), year: z.number().int(), month: z.number().int() }).nullable(),
    state: z.enum(keysOf(currentStateLabels)).nullable(),
  })
  .meta({ title: "ShortlistedProgramme" });

/** `url` is null if the stored address may not be linked to, `programme` for an item that was entered by hand. */
const item = z
  .object({
    id: z.string(),
    university: z.string(),
    course: z.string(),
    url: z.string().nullable(),
    programme: programme.nullable(),
  })
  .meta({ title: "ShortlistItem" });
export type ShortlistItem = z.infer<typeof item>;

/**
 * A student's shortlist (docs/product.md, "Shortlist"). Without `studentId` it is the caller's own; agents and
 * admins name the student.
 */
export const shortlist = {
  list: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/shortlist",
      summary: "List a student's shortlist",
      description:
        "Returns courses, newest first. `studentId` names the student. `url` is null if the stored address may not be linked to. `programme` is null for a course that was entered as text; its `state` says whether the intake is currently open.",
    })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id.optional() }))
    .output(z.object({ student: z.object({ id: z.string(), name: z.string() }), items: z.array(item) })),

  add: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/shortlist",
      summary: "Add a course to a shortlist",
      description:
        "Adds a course that is entered as text, or a programme of the catalogue by `programmeId`, optionally with one of its intakes by `intakeId`; the texts are then the programme's. `studentId` names the student. `already-exists`: the course is already on the list. `resource-exhausted`: the list is full.",
    })
    .errors(declared("not-found", "form/incomplete", "already-exists", "resource-exhausted"))
    .input(
      z.object({
        studentId: id.optional(),
        university: formText,
        course: formText,
        url: formText,
        programmeId: uuid.optional(),
        intakeId: uuid.optional(),
      }),
    )
    .output(item),

  remove: guarded({ who: "signedIn" })
    .route({
      method: "DELETE",
      path: "/shortlist/{id}",
      summary: "Remove a course from a shortlist",
      description: "`id` is the id of the course on the list.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id }))
    .output(done),
};
