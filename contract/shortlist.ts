import { z } from "zod";
import { done, guarded, id, typed } from "./base.ts";
import { declared } from "./errors.ts";

/** `url` is null where the stored address may not be linked to. */
const item = z
  .object({
    id: z.string(),
    university: z.string(),
    course: z.string(),
    url: z.string().nullable(),
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
      summary: "A student's shortlist",
      description:
        "Newest first. Name the student in `studentId`. `url` is null where the stored address may not be linked to.",
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
        "Name the student in `studentId`. `already-exists`: the same course is on the list. `resource-exhausted`: the list is full.",
    })
    .errors(declared("not-found", "form/incomplete", "already-exists", "resource-exhausted"))
    .input(z.object({ studentId: id.optional(), university: typed, course: typed, url: typed }))
    .output(item),

  remove: guarded({ who: "signedIn" })
    .route({
      method: "DELETE",
      path: "/shortlist/{id}",
      summary: "Remove a course from a shortlist",
      description: "Takes the id of the course on the list.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id }))
    .output(done),
};
