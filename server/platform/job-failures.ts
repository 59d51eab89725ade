import { sql } from "drizzle-orm";
import type { Database, Transaction } from "./database.ts";
import type { Cursor } from "./keyset-list.ts";

/** A permanently failed job without payload: see `FailedJob` of the contract. `exactly`: `failedAt` for a cursor. */
type FailedJob = {
  id: string;
  queue: string;
  mail: string | null;
  createdAt: Date;
  failedAt: Date;
  exactly: string;
  tries: number;
  error: string | null;
};

/**
 * Lists at most `most` permanently failed jobs, the latest failure first, after a cursor of time (`exactly`) and id.
 */
export async function failedJobs(
  { pool }: Pick<Database, "pool">,
  after: Cursor | null,
  most: number,
): Promise<FailedJob[]> {
  const { rows } = await pool.query<FailedJob>({
    name: after ? "jobs_failed_further" : "jobs_failed",
    text: `
      select id, name as queue, created_on as "createdAt", completed_on as "failedAt", retry_count + 1 as tries,
        data ->> 'mail' as mail,
        to_char(completed_on at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exactly, output ->> 'error' as error
      from jobs.job where state = 'failed'${after ? " and (completed_on, id) < ($2, $3)" : ""}
      order by completed_on desc, id desc limit $1`,
    values: [most, ...(after ?? [])],
  });
  return rows;
}

/** Counts the permanently failed jobs of each queue that has any. */
export async function countFailedJobs({ pool }: Pick<Database, "pool">): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ queue: string; number: number }>({
    name: "jobs_failed_count",
    text: `select name as queue, count(*)::int as number from jobs.job where state = 'failed' group by name`,
  });
  return new Map(rows.map(({ queue, number }) => [queue, number]));
}

/** Returns the queue of a permanently failed job, or null, and locks its row until the transaction ends. */
export async function lockFailedJob(tx: Transaction, id: string): Promise<string | null> {
  const { rows } = await tx.execute<{ queue: string }>(
    sql`select name as queue from jobs.job where id = ${id} and state = 'failed' for update`,
  );
  return rows[0]?.queue ?? null;
}
