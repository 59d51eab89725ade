import { afterAll, beforeAll, expect, test } from "vitest";
import { bid, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let bidder: Person;
beforeAll(async () => {
  w = await wayfare();
  bidder = await person(w, "student", "active");
});
afterAll(() => w.stop());

test("the statements of a bid are planned once per connection, however many bids follow", async () => {
  const productId = await product(w, await person(w, "agent", "approved"), { startingBid: 100 });
  for (let rand = 1; rand <= 8; rand++) expect((await bid(bidder.caller, productId, rand)).status).toBe(200);
  const { pipelines } = w.services.database;
  const clients = await Promise.all(Array.from({ length: pipelines.totalCount }, () => pipelines.connect()));
  const plans = await Promise.all(
    clients.map((client) =>
      client.query<{ name: string; planned: string; reused: string }>(
        "select name, custom_plans as planned, generic_plans as reused from pg_prepared_statements",
      ),
    ),
  );
  for (const client of clients) client.release();
  const statements = plans.flatMap(({ rows }) => rows);
  expect(new Set(statements.map(({ name }) => name))).toEqual(
    new Set(["bid_look", "bid_lock_free", "bid_save"]),
  );
  expect(statements.filter(({ planned }) => planned !== "0")).toEqual([]);
});
