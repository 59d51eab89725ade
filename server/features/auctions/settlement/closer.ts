import { setTimeout } from "node:timers/promises";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { auctionProduct, type LockMode } from "../tables.ts";
import { type SettlingServices, settle, settleTogether } from "./settle.ts";

/** Products that are looked up at once, that one transaction settles, and transactions at the same time. */
const pageSize = 200;
const batchSize = 20;
const concurrency = 2;

/** Milliseconds from one look at the auctions to the next: an end is settled within five seconds. */
const lookEvery = 1_000;
/** Every so many looks comes a sweep for those who were not notified that they are outbid: a minute. */
const looksPerSweep = 60;
/** Seconds that a sweep looks back: at the start, a day; then, well beyond the sweep before. */
const sinceLongAgo = 24 * 60 * 60;
const sinceLately = 3 * 60;

/** What could not be settled, and why. */
type Failures = Map<string, unknown>;
type Course = { services: SettlingServices; failures: Failures; signal: AbortSignal | undefined };

/**
 * Settles every product whose time is over. Two nodes share the work: one skips what the other has locked, and comes
 * back to it at the end. One that fails holds nothing up.
 */
export async function settleDue(services: SettlingServices, signal?: AbortSignal): Promise<Failures> {
  const course: Course = { services, failures: new Map(), signal };
  const busy = await settlePages(course);
  await settleAll(course, busy, "wait");
  return course.failures;
}

/** The next page begins after the last one. */
type DueProduct = { id: string; endDate: Date };

/** The first open products whose time is over, the longest ended first. */
async function dueProducts(db: Reader, after: DueProduct | null): Promise<DueProduct[]> {
  const { id, endDate, state } = auctionProduct;
  const beyond = after ? sql`(${endDate}, ${id}) > (${after.endDate.toISOString()}, ${after.id})` : undefined;
  return await db
    .select({ id, endDate })
    .from(auctionProduct)
    // Not clock_timestamp(): by that no index can be read.
    .where(and(eq(state, "open"), sql`${endDate} <= now()`, beyond))
    .orderBy(asc(endDate), asc(id))
    .limit(pageSize)
    .prepare(after ? "due_further" : "due")
    .execute();
}

/** Page by page. Returns the ids of those that another transaction has locked. */
async function settlePages(course: Course): Promise<string[]> {
  const busy: string[] = [];
  let last: DueProduct | null = null;
  do {
    const page = await dueProducts(course.services.database.db, last);
    const ids = page.map(({ id }) => id);
    busy.push(...(await settleAll(course, ids, "skipLocked")));
    last = page.at(-1) ?? null;
  } while (last !== null && !course.signal?.aborted);
  return busy;
}

/** A few at a time, until all are done or the signal comes. Returns the ids of those that another transaction has locked. */
async function settleAll(course: Course, ids: readonly string[], lockMode: LockMode): Promise<string[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, at) =>
    ids.slice(at * batchSize, (at + 1) * batchSize),
  ).values();
  const busy: string[] = [];
  const work = async (): Promise<void> => {
    // All of them take from the same iterator, each what no other one has.
    for (const part of parts) {
      if (course.signal?.aborted) return;
      busy.push(...(await settlePart(course, part, lockMode)));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return busy;
}

/** Together; or, should that fail, each for itself. */
async function settlePart({ services, failures }: Course, ids: readonly string[], lockMode: LockMode) {
  const settled = await settleTogether(services, ids, lockMode).catch(() => null);
  if (settled) return ids.filter((id) => !settled.has(id));
  const each = ids.map(async (id) => {
    const kind = await settle(services, id, lockMode).catch((error: unknown) => failures.set(id, error));
    return kind === "busy" ? [id] : [];
  });
  return (await Promise.all(each)).flat();
}

type Parts = SettlingServices & Pick<Services, "outbid" | "log">;

/** Settles auctions as their time is over, on every node: at once at the start, then every second, never twice at a time. */
export function createCloser(services: Parts) {
  const { outbid, log } = services;
  const stopping = new AbortController();
  const { signal } = stopping;
  let failing = new Set<string>();

  /** A product that can't be settled is logged once, not every second. */
  async function close(): Promise<void> {
    const failures = await settleDue(services, signal);
    for (const [product, error] of failures)
      if (!failing.has(product)) log.error({ err: error, product }, "an auction could not be settled");
    failing = new Set(failures.keys());
  }

  async function run(): Promise<void> {
    let looks = 0;
    let isDown = false;
    while (!signal.aborted) {
      try {
        await close();
        if (looks % looksPerSweep === 0) await outbid.sweep(looks === 0 ? sinceLongAgo : sinceLately);
        looks++;
        isDown = false;
      } catch (error) {
        if (!isDown) log.error({ err: error }, "the auctions could not be looked through");
        isDown = true;
      }
      await setTimeout(lookEvery, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    /** Lets the running check finish. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
