import { z } from "zod";
import { savedViewLimits, viewCount } from "#domain/saved-view.ts";
import { studentColumnNames } from "#domain/student-list.ts";
import { done, formText, guarded, id } from "./base.ts";
import { declared } from "./errors.ts";
import { studentView } from "./student-rows.ts";

const settings = {
  /** Filters and order. */
  view: studentView,
  columns: z.array(z.enum(studentColumnNames)).max(studentColumnNames.length),
  /** Whether everyone who manages students sees it. */
  shared: z.boolean(),
};

/** `mayChange`: the caller may replace and remove it. */
const savedView = z
  .object({ id: z.string(), name: z.string(), ...settings, mayChange: z.boolean() })
  .meta({ title: "SavedView" });
export type SavedView = z.infer<typeof savedView>;

/** Named views of Manage Students (docs/product.md, "Saved views"). */
export const savedViews = {
  list: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/student-views",
      summary: "List your saved views of students and those for everyone",
      description: `Returns views by name. Each person can save up to ${savedViewLimits.views} views, and all admins together the same number for everyone.`,
    })
    .output(z.object({ views: z.array(savedView) })),

  /** Replaces a view of the same name. `permission-denied`: only admins save views for everyone. */
  save: guarded({ who: "staff" })
    .route({
      method: "PUT",
      path: "/student-views",
      summary: "Save a view of the students",
      description:
        "Replaces any view of the same name. Only admins can save views for everyone. `resource-exhausted`: there are too many views.",
    })
    .errors(declared("form/incomplete", "resource-exhausted"))
    .input(z.object({ name: formText, ...settings }))
    .output(savedView),

  remove: guarded({ who: "staff" })
    .route({
      method: "DELETE",
      path: "/student-views/{id}",
      summary: "Remove a saved view",
      description: "You can remove your own views and, as an admin, those for everyone.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id }))
    .output(done),

  count: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/student-views/{id}/count",
      summary: "Count the students in a saved view",
      description: `The students were counted at \`countedAt\`, at most ${viewCount.seconds} seconds ago, and up to ${viewCount.most}. \`more\` says whether there are others.`,
    })
    .errors(declared("not-found"))
    .input(z.object({ id }))
    .output(z.object({ students: z.number().int(), more: z.boolean(), countedAt: z.date() })),
};
