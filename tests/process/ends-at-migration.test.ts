import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migratedDatabase } from "#tests/support/migrations.ts";

let client: pg.Client;
let remove: () => Promise<void>;

/** Inserts items as the version before that migration does. */
const listItems = (name: string, number: number) =>
  client.query(
    `with added as (
       insert into auction_product (id, product_name, description, starting_bid, category, subcategory, grade, end_date)
       select gen_random_uuid(), $1, '', 100, 'home', 'Decor', 'New', now() + n * interval '1 hour'
       from generate_series(1, $2) n returning *)
     insert into auction_bidding (product_id, open, price, category, subcategory, grade)
     select id, id < 'aa000000-0000-0000-0000-000000000000', starting_bid, category, subcategory, grade from added`,
    [name, number],
  );

const ends = async (name: string) => {
  const { rows } = await client.query<{ asked: Date; endsAt: Date | null }>(
    `select end_date as asked, ends_at as "endsAt"
     from auction_product join auction_bidding on product_id = id where product_name = $1`,
    [name],
  );
  return rows;
};

beforeAll(async () => {
  ({ client, remove } = await migratedDatabase("0029_ends-at", async (before) => {
    client = before;
    await listItems("before", 500);
  }));
});
afterAll(() => remove());

test("open and closed auctions end at the time that their sellers chose", async () => {
  const rows = await ends("before");
  expect(rows).toHaveLength(500);
  for (const { asked, endsAt } of rows) expect(endsAt).toEqual(asked);
});
