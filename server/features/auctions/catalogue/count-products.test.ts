import { afterAll, beforeAll, expect, test } from "vitest";
import { closed, product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
  const seller = await person(w, "student", "active");
  const phone = { category: "electronics", subcategory: "Phones" } as const;
  await product(w, seller, phone);
  await product(w, seller, { ...phone, grade: "New" });
  await product(w, seller, { category: "home", subcategory: "Decor", grade: "New" });
  await product(w, seller, closed);
  await product(w, seller, { endDate: new Date(Date.now() - 1000) });
});
afterAll(() => w.stop());

const countOf = async (input: object) => {
  const { body } = await new Caller(w.app).call("auctions.list", input);
  return body as { count: number | null };
};

test.each([
  [{}, 3],
  [{ category: "electronics" }, 2],
  [{ category: "home", subcategory: "Decor" }, 1],
  [{ grade: "New" }, 2],
  [{ category: "fashion" }, 0],
  // A count would have to run the whole search.
  [{ search: "desk" }, null],
])("%j: %s are open", async (input, count) => {
  expect(await countOf(input)).toMatchObject({ count });
});

test("at most 501 are counted", async () => {
  const { pool } = w.services.database;
  await pool.query(`
    with added as (
      insert into auction_product (id, product_name, description, starting_bid, category, subcategory, grade, end_date)
      select gen_random_uuid(), 'Vase', 'As described', 1000, 'home', 'Decor', 'New', now() + interval '1 day'
      from generate_series(1, 600) returning *)
    insert into auction_bidding (product_id, ends_at, price, category, subcategory, grade)
    select id, end_date, starting_bid, category, subcategory, grade from added`);
  // Counts are cached for a second.
  for (const input of [{}, { grade: "New" }])
    await until(async () => {
      const count = await countOf(input);
      return count.count === 501;
    });
});
