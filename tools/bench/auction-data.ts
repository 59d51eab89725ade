import pg from "pg";
import { grades, kinds } from "#domain/auction.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { productManners, productModels, productWords } from "./product-names.ts";

/** Draws a word of a list: the first most often, each other one in proportion to its rank. */
const word = (list: string) => `(${list})[floor(power(cardinality(${list}) + 1, random()))::int]`;

const addBidders = `
  insert into "user" (id, name, email, role, status)
  select 'bidder-' || n, 'Bidder Number ' || n, 'bidder-' || n || '@example.org', 'student', 'active'
  from generate_series(0, 999) n`;

/** Products on sale for another hour to 90 days, listed within the last 30 days, for R10 to R5,000. */
const addProducts = `
  insert into auction_product (id, product_name, description, starting_bid, category, subcategory, grade, created_at, end_date)
  select gen_random_uuid(),
         concat_ws(' ', ${word("makers")}, case when random() < 0.6 then ${word("$2::text[]")} end, ${word("types")},
                   case when random() < 0.4 then ${word("$3::text[]")} end,
                   chr(65 + floor(random() * 26)::int) || 100 + floor(random() * 900)::int),
         'Used for ' || n % 36 || ' months and kept with care. Works as it should; small signs of use as in the pictures. '
           || 'Comes with what is shown and nothing else. Collection or delivery by agreement. Item ' || md5(n::text),
         (1000 * power(500, random()))::bigint, category, subcategory, ${word("$4::text[]")},
         now() - random() * interval '30 days', now() + interval '1 hour' + random() * interval '90 days'
  from generate_series(1, $5::int) n
  join json_to_recordset($1) as kind (place int, category text, subcategory text, makers text[], types text[])
    on kind.place = n % 9`;

const addWords = `
  insert into auction_word (word)
  select distinct unnest(tsvector_to_array(to_tsvector('auction_words', search_text(product_name)))) from auction_product`;

/** The number of a product's bids, derived from its id: ten on average. */
const bidCount = "(1 + abs(hashtext(id::text)) % 19)";
const amountOf = (number: string) => `starting_bid + ${number} * 100 * (1 + abs(hashtext(id::text)) % 50)`;

const addBidding = `
  insert into auction_bidding (product_id, ends_at, price, highest_bidder_id, bid_count, category, subcategory, grade)
  select id, end_date, ${amountOf(bidCount)}, 'bidder-' || ${bidCount} * 37 % 1000, ${bidCount}, category, subcategory, grade
  from auction_product order by id`;

const addBids = `
  insert into auction_bid (product_id, number, bidder_id, amount, idempotency_key, created_at)
  select id, number, 'bidder-' || number * 37 % 1000, ${amountOf("number")}, gen_random_uuid(),
         created_at + number * interval '10 minutes'
  from (select * from auction_product order by id) p, generate_series(1, ${bidCount}) number`;

/** Three pictures for every other product. */
const addPictures = `
  insert into auction_picture (id, owner_id, product_id, position, width, height)
  select gen_random_uuid(), 'bidder-0', id, position, 1600, 1200
  from auction_product, generate_series(0, 2) position where hashtext(id::text) % 2 = 0`;

const words = kinds.map(({ category, subcategory }, place) => ({
  place,
  category,
  subcategory,
  makers: productWords[category].makers,
  types: new Map(Object.entries(productWords[category])).get(subcategory),
}));

const steps = (products: number): { into: string; text: string; values?: unknown[] }[] => [
  { into: '"user"', text: addBidders },
  {
    into: "auction_product",
    text: addProducts,
    values: [JSON.stringify(words), productManners, productModels, grades, products],
  },
  { into: "auction_word", text: addWords },
  { into: "auction_bidding", text: addBidding },
  { into: "auction_bid", text: addBids },
  { into: "auction_picture", text: addPictures },
];

/** Fills a table without its indexes, and builds them afterwards: several times as fast. */
async function fill(client: pg.Client, { into, text, values = [] }: ReturnType<typeof steps>[number]) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = $1::regclass
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [into],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await client.query(text, values);
  for (const { definition } of rows) await client.query(definition);
  await client.query(`vacuum analyze ${into}`);
}

/** Loads tables and indexes into memory, as after some time of use. Indexes that were just built are not there yet. */
const readAll = `
  select pg_prewarm(oid) from pg_class
  where relname like 'auction\\_%' and relkind in ('r', 'i') and relname <> 'auction_bid'`;

/**
 * Fills an empty database with this many products and ten times as many bids. They are the same in every run except for
 * their ids.
 */
export async function fillAuctions(address: DatabaseAddress, products: number): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    await client.query(
      "set maintenance_work_mem = '512MB'; set synchronous_commit = off; select setseed(0.5)",
    );
    // All references are correct by construction.
    await client.query("set session_replication_role = replica");
    for (const step of steps(products)) await fill(client, step);
    await client.query("checkpoint");
    await client.query("create extension if not exists pg_prewarm");
    await client.query(readAll);
  } finally {
    await client.end();
  }
}
