import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { categories, grades, kinds } from "#domain/auction.ts";
import { plainSorts } from "#domain/auction-list.ts";
import { bid, product, withPictures } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

/** A query. With a name it is planned once per connection, without one every time. */
type Query = { name?: string; text?: string };
/** Records only the queries of a test's own work, because the server also runs queries in the background. */
const recorder = new AsyncLocalStorage<Query[]>();
const queriesOf = (work: () => Promise<unknown>): Promise<Query[]> => {
  const queries: Query[] = [];
  return recorder.run(queries, async () => {
    await work();
    return queries;
  });
};

let w: Wayfare;
let seller: Person;
let bidder: Person;
let id: string;
beforeAll(async () => {
  w = await wayfare();
  const { pool } = w.services.database;
  const query = pool.query.bind(pool);
  vi.spyOn(pool, "query").mockImplementation((...args: unknown[]) => {
    recorder.getStore()?.push(args[0] as Query);
    return Reflect.apply(query, pool, args);
  });
  seller = await person(w, "student", "active");
  bidder = await person(w, "student", "active");
  id = await product(w, seller);
  await withPictures(w, id, 2);
  await bid(bidder.caller, id, 200);
});
afterAll(() => w.stop());

const reads: [string, (who: Person) => Promise<{ status: number }>][] = [
  ["account.me", ({ caller }) => caller.call("account.me", {})],
  ["notifications.unread", ({ caller }) => caller.call("notifications.unread", {})],
  ["notifications.list", ({ caller }) => caller.call("notifications.list", {})],
  ["auctions.bids", ({ caller }) => caller.call("auctions.bids", { productId: id, below: 9 })],
  ["auctions.relation", ({ caller }) => caller.call("auctions.relation", { productId: id })],
  ["auctions.own", ({ caller }) => caller.call("auctions.own", {})],
  ["auctions.myBids", ({ caller }) => caller.call("auctions.myBids", {})],
  ["a product", ({ caller }) => caller.request(`/auctions/products/${id}`, {})],
];

test.each(reads)("%s has every statement planned once per connection", async (_, read) => {
  w.services.products.changed([id]);
  const queries = await queriesOf(async () => {
    for (const who of [seller, bidder]) expect((await read(who)).status).toBe(200);
  });
  expect(queries).not.toEqual([]);
  expect(queries.filter(({ name }) => name === undefined)).toEqual([]);
});

const parts = [{}, ...categories.map((category) => ({ category })), ...kinds];

test("the list has a bounded number of statements, whatever the filters", async () => {
  const queries = await queriesOf(async () => {
    for (const sort of plainSorts)
      for (const part of parts)
        for (const grade of [undefined, ...grades])
          expect((await bidder.caller.call("auctions.list", { sort, grade, ...part })).status).toBe(200);
  });
  expect(queries.filter(({ name }) => name === undefined)).toEqual([]);
  // There are first pages in four orders with six kinds of filter, and the counts.
  const listQueries = queries.filter(({ name }) => !name?.startsWith("brief_limit"));
  expect(new Set(listQueries.map(({ name }) => name)).size).toBe(4 * 6 + 6);
});

test("after a few calls a connection no longer plans a list's statement", async () => {
  const client = await w.services.database.pool.connect();
  try {
    const page = await queriesOf(() =>
      bidder.caller.call("auctions.list", { category: "home", grade: "New" }),
    );
    const config = page.find(({ name }) => name?.startsWith("auctions_endingSoonest_3_25"));
    expect(config).toBeDefined();
    for (let call = 0; call < 12; call++) await client.query(config as pg.QueryConfig);
    const { rows } = await client.query(
      "select custom_plans <= 5 as few, generic_plans >= 7 as kept from pg_prepared_statements where name = $1",
      [config?.name],
    );
    expect(rows).toEqual([{ few: true, kept: true }]);
  } finally {
    client.release();
  }
});
