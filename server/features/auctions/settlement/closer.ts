import { and, asc, sql } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import { repeat } from "#server/platform/repeat.ts";
import type { Services } from "#server/services.ts";
import { auctionBidding, type LockMode } from "../tables.ts";
import { type SettlingServices, settle, settleTogether } from "./settle.ts";

/** Products per query, products per transaction, and concurrent transactions. */
const pageSize = 200;
const batchSize = 20;
const concurrency = 2;

/** Milliseconds between two checks of the auctions, so that an end is settled within five seconds. */
const interval = 1_000;
/** Checks between two sweeps for missed outbid notifications: a minute. */
const checksPerSweep = 60;
/** Seconds that a sweep covers: a day at the start, later well beyond the previous sweep. */
const firstSweepSeconds = 24 * 60 * 60;
const laterSweepSeconds = 3 * 60;

/** The ids of the products that could not be settled, with their errors. */
type Failures = Map<string, unknown>;
type CloserRun = { services: SettlingServices; failures: Failures; signal: AbortSignal | undefined };

/**
 * Settles every product that is due. Two nodes share the work: each skips products that the other has locked, and comes
 * back to them at the end. A product that fails doesn't hold up the others.
 */
export async function settleDue(services: SettlingServices, signal?: AbortSignal): Promise<Failures> {
  const run: CloserRun = { services, failures: new Map(), signal };
  const busy = await settlePages(run);
  await settleAll(run, busy, "wait");
  return run.failures;
}

/** A due product, which is also the cursor of the next page. */
type DueProduct = { id: string; endsAt: Date };

/** Returns a page of due products, the longest ended first. */
async function dueProducts(db: Reader, after: DueProduct | null): Promise<DueProduct[]> {
  const { productId: id, endsAt, open } = auctionBidding;
  const beyond = after ? sql`(${endsAt}, ${id}) > (${after.endsAt.toISOString()}, ${after.id})` : undefined;
  return await db
    .select({ id, endsAt })
    .from(auctionBidding)
    // clock_timestamp() would keep PostgreSQL from using the index.
    .where(and(sql`${open}`, sql`${endsAt} <= now()`, beyond))
    .orderBy(asc(endsAt), asc(id))
    .limit(pageSize)
    .prepare(after ? "due_further" : "due")
    .execute();
}

/** Settles the due products page by page. Returns the ids of those that another transaction has locked. */
async function settlePages(run: CloserRun): Promise<string[]> {
  const busy: string[] = [];
  let last: DueProduct | null = null;
  do {
    const page = await dueProducts(run.services.database.db, last);
    const ids = page.map(({ id }) => id);
    busy.push(...(await settleAll(run, ids, "skipLocked")));
    last = page.at(-1) ?? null;
  } while (last !== null && !run.signal?.aborted);
  return busy;
}

/**
 * Settles a few products at a time, until all are done or the run is aborted. Returns the ids of those that another
 * transaction has locked.
 */
async function settleAll(run: CloserRun, ids: readonly string[], lockMode: LockMode): Promise<string[]> {
  const batches = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, at) =>
    ids.slice(at * batchSize, (at + 1) * batchSize),
  ).values();
  const busy: string[] = [];
  const work = async (): Promise<void> => {
    // All workers take from the same iterator, so each batch is settled once.
    for (const batch of batches) {
      if (run.signal?.aborted) return;
      busy.push(...(await settleBatch(run, batch, lockMode)));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return busy;
}

/** Settles products together, or separately if that fails. */
async function settleBatch({ services, failures }: CloserRun, ids: readonly string[], lockMode: LockMode) {
  const settled = await settleTogether(services, ids, lockMode).catch(() => null);
  if (settled) return ids.filter((id) => !settled.has(id));
  const each = ids.map(async (id) => {
    const kind = await settle(services, id, lockMode).catch((error: unknown) => failures.set(id, error));
    return kind === "busy" ? [id] : [];
  });
  return (await Promise.all(each)).flat();
}

type Parts = SettlingServices & Pick<Services, "outbid" | "log">;

/** Settles due auctions regularly, on every node, and sweeps for missed outbid notifications. */
export function createCloser(services: Parts) {
  const { outbid, log } = services;
  let checks = 0;
  return repeat(log, {
    pause: interval,
    async run(report, signal) {
      report(await settleDue(services, signal));
      if (checks % checksPerSweep === 0)
        await outbid.sweep(checks === 0 ? firstSweepSeconds : laterSweepSeconds);
      checks++;
    },
    failed: { one: "an auction could not be settled", all: "the auctions could not be looked through" },
  });
}
