import { sql } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import { auctionBidding } from "../tables.ts";

/** Returns the database's time at this moment, also within a transaction. */
export async function databaseTime(db: Reader): Promise<Date> {
  const now = sql<Date>`clock_timestamp()`.mapWith(auctionBidding.endsAt);
  const [clock] = await db.select({ now }).from(sql`(values (1)) as one`);
  if (!clock) throw new Error("the database answered no time");
  return clock.now;
}
