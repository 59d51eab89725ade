import { sql } from "drizzle-orm";
import { advisoryLocks } from "#server/platform/advisory-locks.ts";
import type { Database } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";

/**
 * Runs work that changes very many programmes, unless other such work runs on any node. The lock is a transaction's, so
 * that a dead process releases it. Call `keepLock` between batches: it fails once the lock is lost.
 */
export const withImportLock = <Result>(
  database: Database,
  work: (keepLock: () => Promise<void>) => Promise<Result>,
): Promise<Result> =>
  database.transaction(async (tx) => {
    const { rows } = await tx.execute<{ free: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.programmes}) as free`,
    );
    if (rows[0]?.free !== true)
      throw new Refusal("failed-precondition", {
        message: "Another import is running. Please try again once it is done.",
      });
    return await work(async () => void (await tx.execute(sql`select 1`)));
  });
