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
      summary: "The latest imports of files",
      description:
        "The newest 50. One without `finishedAt` is running, or was interrupted: the same file goes on.",
    })
    .output(z.object({ imports: z.array(importRow.meta({ title: "CatalogueImport" })) })),

  undoImport: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/imports/{id}/undo",
      summary: "Undo the latest import of a source",
      description:
        "Programmes get back what they had, and added ones leave the catalogue. Those that have changed since, or can't be as they were, stay as they are: `leftCount` counts them, and `left` lists the first 200 and says why. `failed-precondition`: it isn't the latest of its source, is undone already, or another import runs.",
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
