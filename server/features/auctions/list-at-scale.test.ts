import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListedProduct } from "#contract/auctions.ts";
import { grades, kinds } from "#domain/auction.ts";
import { type AuctionSort, auctionSorts } from "#domain/auction-list.ts";
import { Caller } from "#tests/caller.ts";
import { until, type Wayfare, wayfare } from "#tests/wayfare.ts";
import { facetsOf, orders } from "./queries/auction-order.ts";
import { pageInOrder, type Statement, searchByWords } from "./queries/find-statements.ts";
import { type ProductQuery, reaches } from "./queries/list-products.ts";

const total = 20_000;
/** Every combination of category, subcategory and grade; prices and ends repeat. */
const generate = `
  with kind (place, category, subcategory) as (select * from unnest($1::int[], $2::text[], $3::text[])),
  added as (
    insert into auction_product (id, product_name, description, starting_bid, category, subcategory, grade, created_at, end_date)
    select gen_random_uuid(), 'Thing ' || n % 5000 || ' Of' || n % 77, 'As described', 1000 + n % 997, category, subcategory,
           ($4::text[])[1 + n / 9 % 5], now() - n % 3001 * interval '1 minute', now() + (10 + n % 4999) * interval '1 minute'
    from generate_series(1, ${total}) n join kind on place = n % 9 returning *)
  insert into auction_bidding (product_id, price, folded_name, category, subcategory, grade)
  select id, starting_bid, folded_name, category, subcategory, grade from added`;

const vocabulary = `
  insert into auction_vocabulary (word, category, subcategory)
  select distinct unnest(string_to_array(folded_name, ' ')), category, subcategory from auction_product`;

let w: Wayfare;

/** As autovacuum leaves it; a transaction that happens to be open makes it leave pages for the next time. */
async function vacuumed(): Promise<boolean> {
  const { pool } = w.services.database;
  await pool.query("vacuum analyze");
  const { rows } = await pool.query<{ done: boolean }>(
    "select bool_and(relallvisible >= relpages) as done from pg_class where relname in ('auction_product', 'auction_bidding')",
  );
  return rows[0]?.done === true;
}

beforeAll(async () => {
  w = await wayfare();
  const { pool } = w.services.database;
  await pool.query(generate, [
    kinds.map((_, place) => place),
    kinds.map(({ category }) => category),
    kinds.map(({ subcategory }) => subcategory),
    grades,
  ]);
  await pool.query(vocabulary);
  await until(vacuumed);
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

const placeIn = (sort: AuctionSort) => ({
  key: orders[sort].type === "bigint" ? "1500" : new Date().toISOString(),
  id: "00000000-0000-4000-8000-000000000000",
});

/** The plans of every statement that a list may need. */
async function plansOf(query: ProductQuery): Promise<string[]> {
  const { page, first, further } = reaches[query.sort];
  const { key } = placeIn(query.sort);
  const statements =
    query.search === ""
      ? [pageInOrder(query, page)]
      : [
          pageInOrder(query, first),
          pageInOrder(query, further),
          searchByWords(query, { from: key, to: key }),
          searchByWords(query, null),
        ];
  const explain = async ({ text, values }: Statement) => {
    const { rows } = await w.services.database.pool.query<{ "QUERY PLAN": string }>(
      `explain ${text}`,
      values,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  return await Promise.all(statements.map(explain));
}

describe.each([false, true])("plans, after bids for all of them: %s", (bidFor) => {
  // A bid makes PostgreSQL distrust its indexes until the next vacuum; what is read in order must stay so.
  beforeAll(async () => {
    if (bidFor) await w.services.database.pool.query("update auction_bidding set version = version + 1");
  });

  test.each(cases)("no scan of a whole table: $sort, $filter", async ({ sort, filter }) => {
    for (const place of [null, placeIn(sort)])
      for (const search of ["", "hing 49", "4", "f7 thing"])
        for (const plan of await plansOf({ search, facets: facetsOf(filter), sort, place })) {
          expect(plan).toMatch(/Index/);
          expect(plan).not.toMatch(/Seq Scan/);
        }
  });

  test.each(cases)("a page is read in order, not sorted: $sort, $filter", async ({ sort, filter }) => {
    const query: ProductQuery = { search: "", facets: facetsOf(filter), sort, place: null };
    for (const plan of await plansOf(query)) expect(plan).not.toMatch(/ Sort {2}|Hash|Bitmap/);
  });
});

type Page = { products: ListedProduct[]; next: string | null };

/** Every product of a view, a page at a time, at most 1,000 of them. */
async function all(input: object): Promise<ListedProduct[]> {
  const seen: ListedProduct[] = [];
  let next: string | undefined;
  do {
    const { status, body } = await new Caller(w.app).call("auctions.list", {
      ...input,
      ...(next && { cursor: next }),
    });
    expect(status).toBe(200);
    const page = body as Page;
    expect(page.products.length).toBeLessThanOrEqual(24);
    seen.push(...page.products);
    next = page.next ?? undefined;
  } while (next !== undefined && seen.length < 1_000);
  return seen;
}

const inOrder: Record<AuctionSort, (a: ListedProduct, b: ListedProduct) => boolean> = {
  endingSoonest: (a, b) => a.endDate <= b.endDate,
  newest: () => true,
  priceUp: (a, b) => a.price <= b.price,
  priceDown: (a, b) => a.price >= b.price,
};

const hasParts = (name: string, search: string) =>
  search.split(" ").every((part) => ` ${name}`.includes(part.length < 3 ? ` ${part}` : part));

/** How many of the generated products a search finds, counted without the database. */
const expected = (search: string) =>
  Array.from({ length: total }, (_, at) => `thing ${(at + 1) % 5000} of${(at + 1) % 77}`).filter((name) =>
    hasParts(name, search),
  ).length;

describe("pages neither repeat nor miss", () => {
  test.each(cases)("$sort, $filter", async ({ sort, filter }) => {
    const seen = await all({ sort, ...filter });
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.every((each, at) => at === 0 || inOrder[sort](seen[at - 1] ?? each, each))).toBe(true);
    const { kinds: asked, grades: of } = facetsOf(filter) ?? { kinds, grades };
    const facets = asked.length * of.length;
    expect(seen.length).toBeGreaterThanOrEqual(Math.min(1_000, Math.floor((total * facets) / 45) - 9));
    for (const each of seen) expect(each).toMatchObject(filter);
  });

  // Common, rare, in between, none, in any order, and too short to be looked for within words.
  test.each(
    auctionSorts.flatMap((sort) =>
      ["of7", "4999", "123", "ing 12", "of1 4", "of76 ing 499", "nothing", "5 ", "q"].map((search) => ({
        sort,
        search,
      })),
    ),
  )("$sort, '$search'", async ({ sort, search }) => {
    const seen = await all({ sort, search });
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.every((each, at) => at === 0 || inOrder[sort](seen[at - 1] ?? each, each))).toBe(true);
    expect(seen.length).toBeGreaterThanOrEqual(Math.min(expected(search.trim()), 1_000));
    expect(seen.length).toBeLessThanOrEqual(expected(search.trim()));
    for (const { productName } of seen) expect(hasParts(productName.toLowerCase(), search.trim())).toBe(true);
  });
});
