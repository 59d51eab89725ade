import { afterAll, beforeAll, expect, test } from "vitest";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

/**
 * The tables that grow with every bid, visit and notification, with the column by which their rows would be distributed
 * over several databases (docs/performance.md). A primary key without that column could not be enforced there.
 */
const distributedBy: Record<string, string> = {
  auction_product: "id",
  auction_bidding: "product_id",
  auction_bid: "product_id",
  auction_bidder: "product_id",
  auction_outbid: "product_id",
  kept_answer: "user_id",
  notification: "user_id",
  profile: "user_id",
};

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

test("a hot table's primary key contains the column that would distribute it", async () => {
  const { rows } = await w.services.database.pool.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text) as columns
     from pg_index i
     join pg_class c on c.oid = i.indrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
     where i.indisprimary and c.relname = any($1)
     group by c.relname`,
    [Object.keys(distributedBy)],
  );
  const keys = Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
  for (const [table, column] of Object.entries(distributedBy)) expect(keys[table], table).toContain(column);
});
