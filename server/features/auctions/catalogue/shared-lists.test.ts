import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "agent", "approved");
  await product(w, seller, { productName: "Lamp" });
});
afterAll(() => w.stop());
afterEach(() => vi.restoreAllMocks());

const list = async (input: object): Promise<string[]> => {
  const { status, body } = await new Caller(w.app).call("auctions.list", input);
  expect(status).toBe(200);
  const { products }: { products: { productName: string }[] } = Object(body);
  return products.map(({ productName }) => productName);
};
/** Runs some work, and returns the number of list queries to PostgreSQL meanwhile, without counts. */
async function readsOf(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(w.services.database.pool, "query");
  await work();
  const statements = query.mock.calls.map(([statement]: unknown[]) => Object(statement));
  return statements.filter(
    ({ name, text }) => String(name).startsWith("auctions_") && !/\bcount\(/.test(text),
  ).length;
}
const twelve = (input: object) => Promise.all(Array.from({ length: 12 }, () => list(input)));

test("a list is read once for concurrent requests, and again for later ones", async () => {
  expect(await readsOf(() => twelve({}))).toBe(1);
  await product(w, seller, { productName: "Chair" });
  const lists = await twelve({});
  expect(lists).toEqual(Array(12).fill(expect.arrayContaining(["Lamp", "Chair"])));
});

test("lists of different kinds, orders and pages are read separately", async () => {
  const reads = await readsOf(() =>
    Promise.all([list({}), list({ sort: "newest" }), list({ limit: 1 }), list({})]),
  );
  expect(reads).toBe(3);
});
