import type { FailedJob } from "#contract/jobs.ts";
import { isAdmin } from "#domain/permission.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Database } from "#server/platform/database.ts";
import { failedJobs, lockFailedJob } from "#server/platform/job-failures.ts";
import { type Cursor, cursorForm, paginate } from "#server/platform/keyset-list.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

export const jobCursor = cursorForm("exactTime", "uuid");

/** Lists a page of the jobs that failed permanently, the latest failure first; `next` is null on the last page. */
export async function listFailedJobs(
  database: Pick<Database, "pool">,
  cursor: Cursor | null,
  limit = adminRowsPerPage,
) {
  const candidates = await failedJobs(database, cursor, limit + 1);
  const { rows, next } = paginate(candidates, limit, ({ exactly, id }): Cursor => [exactly, id]);
  const jobs = rows.map(
    ({ id, queue, mail, createdAt, failedAt, tries, error }): FailedJob => ({
      id,
      queue,
      mail,
      createdAt,
      failedAt,
      tries,
      error,
    }),
  );
  return { jobs, next };
}

/** Retries a failed job immediately. `actor` is null for the operator. */
export async function retryJob(
  { database, jobs }: Pick<Services, "database" | "jobs">,
  actor: Actor | null,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (actor) await lockActor(tx, actor, isAdmin);
    const queue = await lockFailedJob(tx, id);
    if (queue === null) throw Refusal.conflict();
    await jobs.retry(queue, id, tx);
    const by = actedBy(actor);
    await recordAudit(tx, { action: "job-retried", ...by, detail: { ...by.detail, queue, job: id } });
  });
}
