import { sql } from "drizzle-orm";
import type pg from "pg";
import { fromDrizzle, type JobResult, PgBoss } from "pg-boss";
import { z } from "zod";
import type { QueueName } from "#domain/job-names.ts";
import { type DatabaseAddress, DatabaseSockets, SteadyClient, type Transaction } from "./database.ts";
import { errorCode } from "./error-code.ts";
import type { Log } from "./log.ts";
import { OncePerMinute } from "./once-per-minute.ts";
import { span } from "./tracing.ts";

/**
 * A kind of work, with the schema of its payload. `batchSize`: jobs that a worker runs concurrently, 1 by default.
 * `timeout`: seconds that a scheduled job may take before it counts as failed, 60 by default. `workers` of a node: 2 by
 * default. `groupConcurrency`: jobs of a group that a node runs concurrently. `retry`: number of retries of a failed
 * job, with the first and the longest delay in seconds; each delay is up to twice the one before. Only tests have
 * queues without a name for people.
 */
export type Queue<Payload, Name extends string = QueueName> = {
  name: Name;
  payload: z.ZodType<Payload>;
  batchSize?: number;
  timeout?: number;
  workers?: number;
  groupConcurrency?: number;
  retry?: { limit: number; firstDelay: number; longestDelay: number };
};
export type Jobs = Awaited<ReturnType<typeof createJobs>>;

const day = 24 * 60 * 60;
const schema = "jobs";

const defaultRetry = { limit: 10, firstDelay: 2, longestDelay: 15 * 60 };

const queueOptions = {
  notify: true,
  retryLimit: defaultRetry.limit,
  retryBackoff: true,
  retryDelay: defaultRetry.firstDelay,
  retryDelayMax: defaultRetry.longestDelay,
  expireInSeconds: 60,
  // A payload may hold an address, so it is kept no longer than it takes to investigate a failure.
  deleteAfterSeconds: day,
  retentionSeconds: 7 * day,
} as const;

/** Thrown by a job that failed because of another party's server: retried, and not logged as our error. */
export class RetryableError extends Error {
  override name = "TryAgain";
}

/** Runs the library, without working any job, as the role that owns its tables, which it brings up to date. */
async function asOwner<Result>(
  address: DatabaseAddress,
  work: (boss: PgBoss) => Promise<Result>,
): Promise<Result> {
  const poolOptions = { max: 1, Client: SteadyClient };
  const boss = new PgBoss({ ...address, ...poolOptions, schema, supervise: false, schedule: false });
  // Failures are thrown by the calls themselves.
  boss.on("error", () => {});
  await boss.start();
  try {
    return await work(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Brings the queue's own tables up to date, as the role that owns them. */
export const migrateJobs = (address: DatabaseAddress): Promise<void> => asOwner(address, async () => {});

/** An unfinished job. `startAfter` in ISO 8601. */
export const unfinishedJob = z.object({
  id: z.uuid(),
  data: z.record(z.string(), z.unknown()),
  startAfter: z.string(),
});
type WaitingJob = z.infer<typeof unfinishedJob>;
type Name = Pick<Queue<unknown, string>, "name">;

/** Returns the kind of a failure: a code or the error's class, but never its message. */
function kindOf(error: unknown): string {
  const kind = errorCode(error) ?? (error instanceof Error ? error.name : "");
  return /^[\w.-]{1,40}$/.test(kind) ? kind : "Error";
}

/** Removes every job, finished or not, whose payload has one of these texts, in lower case, as a whole value. */
export async function removeJobsAbout(tx: Transaction, texts: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from jobs.job where exists (
      select from jsonb_path_query(data, 'strict $.** ? (@.type() == "string")') value
      where lower(btrim(value #>> '{}')) = any(${sql.param(texts)}::text[]))`);
}

/** Yields the unfinished jobs of a queue, a thousand at a time, as the client's transaction sees them. */
export async function* unfinishedJobs(client: pg.Client, { name }: Name): AsyncGenerator<WaitingJob[]> {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await client.query<WaitingJob>(
      `select id, data, to_json(start_after) #>> '{}' as "startAfter" from ${schema}.job
       where name = $1 and state < 'completed' and id > $2 order by id limit 1000`,
      [name, after],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}

/**
 * Adds unfinished jobs from elsewhere, in the client's transaction, to a queue that is created if needed. Overdue jobs
 * start as soon as a worker runs. `owner`: the address of the same database for the role that owns its tables.
 */
export async function addUnfinishedJobs(
  client: pg.Client,
  owner: DatabaseAddress,
  { name }: Name,
  jobs: readonly WaitingJob[],
): Promise<void> {
  const now = Date.now();
  await asOwner(owner, async (boss) => {
    await boss.createQueue(name, queueOptions);
    await boss.insert(
      name,
      jobs.map(({ startAfter, ...job }) => (Date.parse(startAfter) > now ? { ...job, startAfter } : job)),
      { db: { executeSql: (text, values) => client.query(text, values) } },
    );
  });
}

/**
 * Creates the job queue. A job is written in the transaction of the change that causes it, and runs after the commit:
 * never for a change that was rolled back, otherwise at least once, with growing pauses between retries.
 */
export async function createJobs(address: DatabaseAddress, log: Log, sockets = new DatabaseSockets()) {
  const poolOptions = {
    max: 4,
    application_name: "wayfare-jobs",
    Client: SteadyClient,
    stream: sockets.open,
  };
  // The application's role reads and writes rows. Tables and indexes belong to the owner.
  const withoutDdl = { migrate: false, reindex: false } as const;
  const boss = new PgBoss({ ...address, ...poolOptions, ...withoutDdl, schema, useListenNotify: true });
  /** Once this is true, errors of jobs and of closing connections no longer count as failures. */
  let stopped = false;
  const outage = new OncePerMinute();
  boss.on("error", (error) => {
    if (!stopped && outage.isDue(error)) log.error({ err: error }, "the job queue failed");
  });
  await boss.start();

  return {
    /** Declares the queue. To be called at start, before anything is sent to it. */
    async define<Payload>(queue: Queue<Payload, string>): Promise<void> {
      const { limit, firstDelay, longestDelay } = queue.retry ?? defaultRetry;
      const retry = { retryLimit: limit, retryDelay: firstDelay, retryDelayMax: longestDelay };
      await boss.createQueue(queue.name, { ...queueOptions, ...retry });
    },

    /**
     * Adds jobs in the caller's transaction, each due after `afterSeconds`, immediately by default. Due jobs with a
     * higher `priority` run first; it is 0 by default.
     */
    async sendAll<Payload extends object>(
      queue: Queue<Payload, string>,
      all: readonly { payload: Payload; afterSeconds?: number; group?: string; priority?: number }[],
      tx: Transaction,
    ): Promise<void> {
      if (all.length === 0) return;
      await boss.insert(
        queue.name,
        all.map(({ payload, afterSeconds = 0, group, priority = 0 }) => ({
          data: payload,
          startAfter: afterSeconds,
          priority,
          ...(group !== undefined && { group: { id: group } }),
        })),
        { db: fromDrizzle(tx, sql) },
      );
    },

    /** Runs a permanently failed job again as soon as the transaction is committed. */
    async retry(queue: string, id: string, tx: Transaction): Promise<void> {
      await boss.retry(queue, id, { db: fromDrizzle(tx, sql) });
    },

    /** Schedules a job without payload by a cron expression in UTC: one for all nodes. */
    async plan(queue: Queue<null, string>, cron: string): Promise<void> {
      await boss.schedule(queue.name, cron, null, {
        tz: "UTC",
        expireInSeconds: queue.timeout ?? queueOptions.expireInSeconds,
      });
    },

    /**
     * Works the queue on this node, a few jobs concurrently, each with its own result. `id` stays the same when a job
     * is retried. `isLast`: no other attempt will follow.
     */
    async work<Payload>(
      queue: Queue<Payload, string>,
      handle: (payload: Payload, id: string, isLast: boolean) => Promise<void>,
    ): Promise<void> {
      const { limit } = queue.retry ?? defaultRetry;
      type FetchedJob = { id: string; data: unknown; retryCount: number };
      async function carryOut({ id, data, retryCount }: FetchedJob): Promise<JobResult> {
        try {
          const payload = queue.payload.parse(data);
          await span(`job ${queue.name}`, {}, () => handle(payload, id, retryCount >= limit));
          // A process may die before the rest of a batch is done. If this fails, the end of the batch marks the job.
          if ((queue.batchSize ?? 1) > 1) await boss.complete(queue.name, id).catch(() => {});
          return { id, status: "completed" };
        } catch (error) {
          if (error instanceof RetryableError)
            log.info({ queue: queue.name, job: id }, "a job is tried again");
          else if (stopped) log.info({ queue: queue.name, job: id }, "a job was cut short by the stop");
          else log.error({ err: error, queue: queue.name, job: id }, "a job failed");
          // The queue stores this: a plain message, not the values of a failed query.
          const output = { message: `${queue.name} failed`, error: kindOf(error) };
          return { id, status: "failed", output };
        }
      }
      // A notification that arrives while all workers are busy is lost. Polling finds its jobs.
      await boss.work(
        queue.name,
        {
          localConcurrency: queue.workers ?? 2,
          ...(queue.groupConcurrency !== undefined && { localGroupConcurrency: queue.groupConcurrency }),
          batchSize: queue.batchSize ?? 1,
          // While there are more jobs than one fetch brings, no worker waits for the next poll.
          burstWhenBatchFull: true,
          perJobResults: true,
          pollingIntervalSeconds: 1,
          notifyPollingIntervalSeconds: 1,
        },
        (jobs) => Promise.all(jobs.map(carryOut)),
      );
    },

    /** Lets running jobs finish for at most `milliseconds`. The others run again after the next start. */
    async stop(milliseconds: number): Promise<void> {
      await boss.stop({ close: false, timeout: milliseconds });
      stopped = true;
      await boss.stop();
    },
  };
}
