import { z } from "zod";
import { statesForStudent } from "#domain/application.ts";
import { documentKinds, documentStates } from "#domain/document.ts";
import { progressFields } from "#domain/progress.ts";
import { guarded } from "./base.ts";

/** One of the six slots: null where nothing is uploaded; `reason` says why one was rejected. */
const slot = z.object({
  kind: z.enum(documentKinds),
  state: z.enum(documentStates).nullable(),
  reason: z.string(),
});

/** What stands on the asking student's dashboard. Percentages are whole; no identity field is in it. */
export const dashboard = guarded
  .route({ method: "GET", path: "/dashboard", summary: "Your dashboard, as a student" })
  .output(
    z.object({
      progress: z.object({ overall: z.number(), profile: z.number(), documents: z.number() }),
      missingFields: z.array(z.enum(progressFields)),
      documents: z.array(slot),
      agent: z
        .object({ name: z.string(), agency: z.string(), email: z.string(), phone: z.string() })
        .nullable(),
      applications: z.number(),
      /** The application that waits longest for the student's own step: an answer, or accepting an offer. */
      asks: z.object({ id: z.string(), program: z.string(), state: z.enum(statesForStudent) }).nullable(),
    }),
  );
