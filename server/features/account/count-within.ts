import { sql } from "drizzle-orm";
import type { Transaction } from "#server/platform/database.ts";
import { keyOf } from "./limits.ts";
import { rateLimit } from "./tables.ts";

/**
 * Counts in a fixed window of so many seconds, which begins with the first time; returns the count, this time included.
 * In the caller's transaction, so that what is rolled back does not count.
 */
export async function countWithin(tx: Transaction, about: string, seconds: number): Promise<number> {
  const now = Date.now();
  const isOver = sql`${rateLimit.expire} <= ${now}`;
  const expire = now + seconds * 1000;
  const [counted] = await tx
    .insert(rateLimit)
    .values({ key: `within:${keyOf(about)}`, points: 1, expire })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: {
        points: sql`case when ${isOver} then 1 else ${rateLimit.points} + 1 end`,
        expire: sql`case when ${isOver} then ${expire} else ${rateLimit.expire} end`,
      },
    })
    .returning({ points: rateLimit.points });
  return counted?.points ?? 0;
}
