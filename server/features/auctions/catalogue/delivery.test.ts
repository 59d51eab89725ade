import { afterAll, beforeAll, expect, test } from "vitest";
import { product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import type { Facets, ProductQuery } from "./list-statements.ts";
import { orders } from "./list-statements.ts";
import { pageByFilters } from "./narrowed-statements.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
});
afterAll(() => w.stop());

test("the list is filtered by delivery in every order, alone and with a search and other filters", async () => {
  const collected = await product(w, seller, { productName: "Oak chair", collectionPlace: "Cape Town" });
  const couriered = await product(w, seller, { productName: "Pine chair", courier: 0 });
  await product(w, seller, { productName: "Ash chair" });
  const { api } = new Caller(w.app);
  for (const sort of ["endingSoonest", "newest", "priceUp", "priceDown", "bestMatch"] as const)
    for (const search of ["", "chair"])
      for (const grade of [undefined, "Grade A"] as const) {
        const list = async (delivery: "collection" | "courier") =>
          (await api.auctions.list({ search, sort, grade, delivery })).products;
        expect((await list("collection")).map(({ id }) => id)).toEqual([collected]);
        expect(await list("courier")).toMatchObject([{ id: couriered, courier: 0, collectionPlace: "" }]);
      }
  const facets: Facets = { kinds: [{ category: "home", subcategory: "Furniture" }], grades: ["Grade A"] };
  for (const sort of Object.keys(orders) as (keyof typeof orders)[])
    for (const each of [null, facets]) {
      const query: ProductQuery = {
        search: "",
        facets: each,
        narrowing: { delivery: "courier" },
        sort,
        cursor: null,
      };
      const { rows } = await w.services.database.pool.query(pageByFilters(query));
      expect(rows).toMatchObject([{ products: [{ id: couriered }] }]);
    }
});
