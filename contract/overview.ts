import { z } from "zod";
import { applicationStates } from "#domain/application.ts";
import { guarded } from "./base.ts";

/** The number of those that wait, and the time since which the first one does; null if none does. */
const waiting = z.object({ number: z.number(), since: z.date().nullable() });

/** For admins: the current state of the consultancy. */
export const overview = {
  figures: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/overview",
      summary: "Get key figures of the consultancy",
      description: "Returns figures about the current state of the consultancy.",
    })
    .output(
      z.object({
        /** Agents who wait for a decision. */
        agents: waiting,
        /** Documents that nobody has reviewed yet, and the number of their students. */
        documents: waiting.extend({ students: z.number() }),
        /** Open offers, and how many of them have a reply-by date that has passed. */
        offers: z.object({ number: z.number(), overdue: z.number() }),
        /** Open auctions that end within 24 hours. */
        auctionsEndingSoon: z.number(),
        /** Within the last day. */
        failedMails: z.number(),
        /** Failed jobs other than emails. */
        failedJobs: z.number(),
        students: z.object({
          total: z.number(),
          withoutApplication: z.number(),
          /** Students with applications in several states count in each. */
          byState: z.array(z.object({ state: z.enum(applicationStates), number: z.number() })),
        }),
      }),
    ),
};
