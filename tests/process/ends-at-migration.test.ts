import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { z } from "zod";

const database = `t_${randomUUID().replaceAll("-", "")}`;
const { host, owner } = inject("postgres");
const server = new pg.Client({ host, port: 5432, user: owner, database: "postgres" });
const client = new pg.Client({ host, port: 5432, user: owner, database });

const journal = z.object({ entries: z.array(z.object({ tag: z.string() })) });
const textOf = (file: string) =>
  readFile(new URL(`../../server/migrations/${file}`, import.meta.url), "utf8");

/** Migrates like the server's start: all files in one transaction. */
async function migrate(tags: readonly string[]): Promise<void> {
  await client.query("begin");
  for (const tag of tags) await client.query(await textOf(`${tag}.sql`));
  await client.query("commit");
}

/** Lists items as the version before that migration did. */
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
  await server.connect();
  await server.query(`create database ${database} template template0`);
  await client.connect();
  const tags = journal.parse(JSON.parse(await textOf("meta/_journal.json"))).entries.map(({ tag }) => tag);
  const at = tags.indexOf("0029_ends-at");
  await migrate(tags.slice(0, at));
  await listItems("before", 500);
  await migrate(tags.slice(at));
});
afterAll(async () => {
  await client.end();
  await server.query(`drop database ${database} with (force)`);
  await server.end();
});

test("open and closed auctions end when their sellers asked for it", async () => {
  const rows = await ends("before");
  expect(rows).toHaveLength(500);
  for (const { asked, endsAt } of rows) expect(endsAt).toEqual(asked);
});
