import { z } from "zod";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { done, guarded, pageOf } from "./base.ts";
import { declared } from "./errors.ts";

/**
 * A job that failed permanently. `tries`: the number of attempts. `error`: the kind of the last failure, such as
 * ECONNREFUSED, never its message; null if unknown. It has nothing else about the job's subject.
 */
const failedJob = z
  .object({
    id: z.string(),
    queue: z.string(),
    /** The kind of email that it was to send; null for other jobs. */
    mail: z.string().nullable(),
    createdAt: z.date(),
    failedAt: z.date(),
    tries: z.number(),
    error: z.string().nullable(),
  })
  .meta({ title: "FailedJob" });
export type FailedJob = z.infer<typeof failedJob>;

/** For admins: failed background jobs, which are kept for a day. */
export const jobs = {
  failed: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/failed-jobs",
      summary: "List failed jobs",
      description:
        "Returns background jobs that failed permanently, latest failure first. Failed jobs are kept for a day.",
    })
    .input(z.object({ ...pageOf(adminRowsPerPage) }))
    .output(z.object({ jobs: z.array(failedJob), next: z.string().nullable() })),

  retry: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/failed-jobs/{id}/retries",
      summary: "Retry a failed job",
      description:
        "The job is retried immediately. `failed-precondition`: the job no longer exists, or no longer counts as failed.",
    })
    .errors(declared("failed-precondition"))
    .input(z.object({ id: z.uuid() }))
    .output(done),
};
