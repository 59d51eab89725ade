import { sql } from "drizzle-orm";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { auctionBidding } from "../tables.ts";

/** Returns the database's current time, even within a transaction. */
export async function databaseTime(db: Reader): Promise<Date> {
  const now = sql<Date>`clock_timestamp()`.mapWith(auctionBidding.endsAt);
  const [clock] = await db.select({ now }).from(sql`(values (1)) as one`);
  if (!clock) throw new Error("the database answered no time");
  return clock.now;
}

/** SQL for the time of a product's latest row or moved limit; `b` is its bidding. */
export const latestActText = `greatest(
  (select created_at from auction_bid where product_id = b.product_id and number = b.bid_count),
  (select max(created_at) from auction_limit where product_id = b.product_id and number = b.bid_count))`;

/**
 * Returns the time for the next row of a product whose bidding this transaction has locked: the database's, but never
 * before the latest row's, even if the clock was set back. That row came before the end, so this time reaches the end
 * exactly when the clock does.
 */
export async function timeOfNextRow(tx: Transaction, productId: string): Promise<Date> {
  const { rows } = await tx.execute<{ now: string }>(sql`
    select to_json(greatest(clock_timestamp(), ${sql.raw(latestActText)})) #>> '{}' as now
    from auction_bidding b where b.product_id = ${productId}`);
  const [row] = rows;
  if (!row) throw new Error("the database answered no time");
  return new Date(row.now);
}
