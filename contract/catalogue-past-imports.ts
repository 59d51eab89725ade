import { z } from "zod";
import { guarded } from "./base.ts";
import { declared } from "./errors.ts";

const importRow = z.object({
  id: z.string(),
  source: z.string(),
  startedAt: z.date(),
  finishedAt: z.date().nullable(),
  undoneAt: z.date().nullable(),
  added: z.number().int(),
  changed: z.number().int(),
  /** Whether it is the newest of its source and can be undone. */
  undoable: z.boolean(),
});
export type CatalogueImport = z.infer<typeof importRow>;

/** Past imports of files, and their undo. */
export const catalogueImports = {
  imports: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/imports",
      summary: "List the latest imports of files",
      description:
        "Returns the newest 50 imports. An import without `finishedAt` is running, or was interrupted; importing the same file again continues it.",
    })
    .output(z.object({ imports: z.array(importRow.meta({ title: "CatalogueImport" })) })),

  undoImport: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/imports/{id}/undo",
      summary: "Undo the latest import of a source",
      description:
        "Restores the programmes that the import changed, and removes those that it added from the catalogue. Programmes that have changed since, or that can't be restored, stay as they are: `leftCount` counts them, and `left` lists the first 200 with the reasons. `failed-precondition`: the import isn't the latest of its source, has already been undone, or another import is running.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ id: z.uuid().toLowerCase() }))
    .output(
      z.object({
        restored: z.number().int(),
        removed: z.number().int(),
        leftCount: z.number().int(),
        left: z.array(
          z.object({ id: z.string(), title: z.string(), why: z.string() }).meta({ title: "LeftProgramme" }),
        ),
      }),
    ),
};
