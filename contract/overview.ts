import { z } from "zod";
import { applicationStates } from "#domain/application.ts";
import { guarded, moment } from "./base.ts";

/** How many wait, and since when the first of them does; null for nobody. */
const waiting = z.object({ number: z.number(), since: z.date().nullable() });

/** An admin's: how the consultancy stands at this moment. */
export const overview = {
  figures: guarded
    .route({
      method: "GET",
      path: "/overview",
      summary: "Key figures of the consultancy",
      description:
        "How the consultancy stands now. `endOfDay` says until when an auction counts as ending today, at most 26 hours from now.",
    })
    .input(z.object({ endOfDay: moment }))
    .output(
      z.object({
        /** Who applied and is not decided about. */
        agents: waiting,
        /** Those that nobody has looked at yet, and of how many students they are. */
        documents: waiting.extend({ students: z.number() }),
        auctionsEndingToday: z.number(),
        /** Within the last day. */
        failedMails: z.number(),
        /** All others but mails. */
        failedJobs: z.number(),
        students: z.object({
          total: z.number(),
          withoutApplication: z.number(),
          /** Who has an application in several states counts in each. */
          byState: z.array(z.object({ state: z.enum(applicationStates), number: z.number() })),
        }),
      }),
    ),
};
