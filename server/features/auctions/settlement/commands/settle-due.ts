import type { LockMode } from "../../tables.ts";
import { type DueProduct, dueProducts } from "../queries/due.ts";
import { type SettlingServices, settle, settleTogether } from "./settle.ts";

/** Products that are looked up at once, that one transaction settles, and transactions at the same time. */
const pageSize = 200;
const batchSize = 20;
const concurrency = 2;

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

/** Page by page. Returns the ids of those that another transaction has locked. */
async function settlePages(course: Course): Promise<string[]> {
  const busy: string[] = [];
  let last: DueProduct | null = null;
  do {
    const page = await dueProducts(course.services.database.db, last, pageSize);
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
  const kinds = await settleTogether(services, ids, lockMode).catch(() => null);
  if (kinds) return ids.filter((id) => kinds.get(id) === "busy");
  const each = ids.map(async (id) => {
    const kind = await settle(services, id, lockMode).catch((error: unknown) => failures.set(id, error));
    return kind === "busy" ? [id] : [];
  });
  return (await Promise.all(each)).flat();
}
