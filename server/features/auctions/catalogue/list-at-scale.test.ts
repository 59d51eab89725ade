import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListedProduct } from "#contract/listed-products.ts";
import { grades, kinds } from "#domain/auction.ts";
import { type AuctionSort, auctionSorts, searchFits } from "#domain/auction-list.ts";
import { searchQuery } from "#server/platform/search-query.ts";
import { Caller } from "#tests/support/caller.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { inOrderSearchLimit } from "./list-products.ts";
import {
  facetsOf,
  orders,
  type ProductQuery,
  pageBySearch,
  pageInOrder,
  rowsToRead,
} from "./list-statements.ts";

const total = 20_000;
/** Generates every combination of category, subcategory and grade; prices and ends repeat. */
const generate = `
  with kind (index, category, subcategory) as (select * from unnest($1::int[], $2::text[], $3::text[])),
  added as (
    insert into auction_product (id, product_name, description, starting_bid, category, subcategory, grade, created_at, end_date)
    select gen_random_uuid(), 'Thing ' || n % 5000 || ' Of' || n % 77, 'As described', 1000 + n % 997, category, subcategory,
           ($4::text[])[1 + n / 9 % 5], now() - n % 3001 * interval '1 minute', now() + (10 + n % 4999) * interval '1 minute'
    from generate_series(1, ${total}) n join kind on index = n % 9 returning *)
  insert into auction_bidding (product_id, ends_at, price, category, subcategory, grade)
  select id, end_date, starting_bid, category, subcategory, grade from added`;

const addPictures = `
  insert into auction_picture (id, owner_id, product_id, position, width, height)
  select gen_random_uuid(), 'somebody', id, 0, 1200, 900 from auction_product`;

let w: Wayfare;
/** The rank of each product by age, the newest first: the list does not show when one was added. */
let byAge: Map<string, number>;

/**
 * Vacuums like autovacuum, which leaves pages for the next run if a transaction is open. Returns whether all are done.
 */
async function vacuumed(): Promise<boolean> {
  const { pool } = w.services.database;
  await w.asOwner("vacuum analyze");
  const { rows } = await pool.query<{ done: boolean }>(
    "select bool_and(relallvisible >= relpages) as done from pg_class where relname in ('auction_product', 'auction_bidding')",
  );
  return rows[0]?.done === true;
}

beforeAll(async () => {
  w = await wayfare();
  const { pool } = w.services.database;
  await pool.query(generate, [
    kinds.map((_, index) => index),
    kinds.map(({ category }) => category),
    kinds.map(({ subcategory }) => subcategory),
    grades,
  ]);
  await pool.query(addPictures);
  await until(vacuumed);
  const { rows } = await pool.query<{ id: string }>(
    "select id from auction_product order by created_at desc, id desc",
  );
  byAge = new Map(rows.map(({ id }, at) => [id, at]));
});
afterAll(() => w.stop());

const filters = [
  {},
  { category: "home" },
  { grade: "New" },
  { category: "home", subcategory: "Decor" },
  { category: "home", grade: "New" },
  { category: "home", subcategory: "Decor", grade: "New" },
] as const;
const cases = auctionSorts.flatMap((sort) => filters.map((filter) => ({ sort, filter })));

const cursorIn = (sort: AuctionSort) => [
  orders[sort].key === "price" ? "1500" : new Date().toISOString(),
  "00000000-0000-4000-8000-000000000000",
];

/** Returns the plans of every statement that a list may need. */
async function plansOf(query: ProductQuery): Promise<string[]> {
  const search = query.search === "" ? null : searchQuery(query.search.split(" "));
  const queries = query.sort === "bestMatch" ? searchFits.map((fit) => ({ ...query, fit })) : [query];
  const statements = search
    ? queries.flatMap((each) => [pageInOrder(each, search, inOrderSearchLimit), pageBySearch(each, search)])
    : [pageInOrder(query, null, rowsToRead)];
  const explain = async (text: string, values?: unknown[]) => {
    const { rows } = await w.services.database.pool.query<{ "QUERY PLAN": string }>(text, values);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  const plans = statements.map(({ text, values }) => explain(`explain ${text}`, values));
  // Named statements get a generic plan for any values.
  const generic = statements.flatMap(({ name, text }) =>
    name ? [explain(`explain (generic_plan) ${text}`)] : [],
  );
  return await Promise.all([...plans, ...generic]);
}

describe.each([false, true])("plans, after bids on all products: %s", (hasBids) => {
  // Bids make PostgreSQL distrust its indexes until the next vacuum; even then, reads must stay in order.
  beforeAll(async () => {
    if (hasBids) await w.services.database.pool.query("update auction_bidding set version = version + 1");
  });

  test.each(cases)("no scan of a whole table: $sort, $filter", async ({ sort, filter }) => {
    for (const cursor of [null, cursorIn(sort)])
      for (const search of ["", "49 of7", "4999", "of7 499"])
        for (const plan of await plansOf({ search, facets: facetsOf(filter), narrowing: {}, sort, cursor })) {
          expect(plan).toMatch(/Index/);
          expect(plan).not.toMatch(/Seq Scan/);
        }
  });

  test.each(cases)("a page is read in order, not sorted: $sort, $filter", async ({ sort, filter }) => {
    const query: ProductQuery = { search: "", facets: facetsOf(filter), narrowing: {}, sort, cursor: null };
    for (const plan of await plansOf(query)) expect(plan).not.toMatch(/ Sort {2}|Hash|Bitmap/);
  });
});

type Page = { products: ListedProduct[]; next: string | null };

/** Every call comes from a different address, to stay below the limit of searches. */
let host = 0;
const nextAddress = () => `10.0.${++host >> 8}.${host & 255}`;

/** Reads every product of a view, page by page, up to 1,000 of them. */
async function all(input: object): Promise<ListedProduct[]> {
  const products: ListedProduct[] = [];
  let next: string | undefined;
  do {
    const { status, body } = await new Caller(w.app, nextAddress()).call("auctions.list", {
      ...input,
      ...(next && { cursor: next }),
    });
    expect(status).toBe(200);
    const page = body as Page;
    expect(page.products.length).toBeLessThanOrEqual(24);
    products.push(...page.products);
    next = page.next ?? undefined;
  } while (next !== undefined && products.length < 1_000);
  return products;
}

const inOrder: Record<AuctionSort, (a: ListedProduct, b: ListedProduct) => boolean> = {
  // The search words are in the names of all these products, so they have the same fit.
  bestMatch: (a, b) => a.endDate <= b.endDate,
  endingSoonest: (a, b) => a.endDate <= b.endDate,
  newest: (a, b) => (byAge.get(a.id) ?? total) < (byAge.get(b.id) ?? 0),
  priceUp: (a, b) => a.price <= b.price,
  priceDown: (a, b) => a.price >= b.price,
};

/** "Thing 49 Of7": "of7" is two words. A last word of three letters or more may be the beginning of one. */
const hasWords = (name: string, search: string) => {
  const words = name.split(/ |(?<=of)(?=\d)/);
  const parts = search.split(/ |(?<=of)(?=\d)/);
  const last = parts.pop() ?? "";
  const isLast = (word: string) => (last.length < 3 ? word === last : word.startsWith(last));
  return parts.every((word) => words.includes(word)) && words.some(isLast);
};

/** Counts the generated products that a search finds, without the database. */
const expected = (search: string) =>
  Array.from({ length: total }, (_, at) => `thing ${(at + 1) % 5000} of${(at + 1) % 77}`).filter((name) =>
    hasWords(name, search),
  ).length;

describe("pages neither repeat nor miss products", () => {
  test.each(cases)("$sort, $filter", async ({ sort, filter }) => {
    const products = await all({ sort, ...filter });
    expect(new Set(products.map(({ id }) => id)).size).toBe(products.length);
    expect(products.every((each, at) => at === 0 || inOrder[sort](products[at - 1] ?? each, each))).toBe(
      true,
    );
    const facets = facetsOf(filter) ?? { kinds, grades };
    const pairs = facets.kinds.length * facets.grades.length;
    expect(products.length).toBeGreaterThanOrEqual(Math.min(1_000, Math.floor((total * pairs) / 45) - 9));
    for (const each of products) expect(each).toMatchObject(filter);
  });

  // The words are common, rare, in between, missing, and in any order.
  test.each(
    auctionSorts.flatMap((sort) =>
      ["thing", "4999", "123", "thing 12", "of1 thing", "of76 thing 499", "thing of 49", "nothing"].map(
        (search) => ({
          sort,
          search,
        }),
      ),
    ),
  )("$sort, '$search'", async ({ sort, search }) => {
    const products = await all({ sort, search });
    expect(new Set(products.map(({ id }) => id)).size).toBe(products.length);
    expect(products.every((each, at) => at === 0 || inOrder[sort](products[at - 1] ?? each, each))).toBe(
      true,
    );
    expect(products.length).toBeGreaterThanOrEqual(Math.min(expected(search), 1_000));
    expect(products.length).toBeLessThanOrEqual(expected(search));
    for (const { productName } of products) expect(hasWords(productName.toLowerCase(), search)).toBe(true);
  });
});
