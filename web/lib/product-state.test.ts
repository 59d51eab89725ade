import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ProductState } from "#contract/auctions.ts";
import { followProduct, productQuery } from "./product-state.ts";
import { queryClient } from "./query-client.ts";
import { serverNow } from "./server-clock.ts";

const id = "3f0c1a52-7f5e-4f43-9c3a-0d6f4f3f9b11";
const topic = `product:${id}` as const;
const state = (version: number): ProductState => ({
  id,
  version,
  productName: "Desk lamp",
  description: "Bends where it should",
  category: "home",
  subcategory: "Decor",
  grade: "New",
  startingBid: 1_000,
  createdAt: 0,
  endDate: 1,
  plannedEnd: 1,
  latestEnd: null,
  rules: 2,
  collectionPlace: "",
  courier: null,
  terms: 1,
  formerId: null,
  answered: 0,
  additions: [],
  state: "open",
  price: 1_000,
  leastBid: 1_000,
  bidCount: 0,
  leader: null,
  winner: null,
  winningBid: null,
  handover: "",
  seller: null,
  pictures: [],
  bids: [],
});

let answer: () => Promise<Response>;
beforeEach(() => {
  queryClient.clear();
  vi.stubGlobal("fetch", () => answer());
});
afterEach(() => vi.unstubAllGlobals());

const respondWith = (version: number, headers: Record<string, string> = {}) =>
  Response.json(state(version), { headers });
const receive = (product: ProductState | null, now = 1_700_000_000_000) =>
  followProduct(topic, JSON.stringify({ now, product }));
const cachedProduct = () => queryClient.getQueryData(productQuery(id).queryKey);
const fetchProduct = () => queryClient.fetchQuery({ ...productQuery(id), staleTime: 0, retry: false });

test("applies an event only if it is newer than the cached state", async () => {
  answer = async () => respondWith(3);
  await fetchProduct();
  receive(state(5));
  expect(cachedProduct()?.version).toBe(5);
  receive(state(4));
  expect(cachedProduct()?.version).toBe(5);
});

test("ignores an answer that an event has overtaken", async () => {
  const held = Promise.withResolvers<Response>();
  answer = () => held.promise;
  const pending = fetchProduct();
  receive(state(7));
  held.resolve(respondWith(6));
  expect(await pending).toMatchObject({ version: 7 });
  expect(cachedProduct()?.version).toBe(7);
});

test("keeps a product off sale despite older events", async () => {
  answer = async () => respondWith(3);
  await fetchProduct();
  receive(null);
  expect(cachedProduct()).toBeNull();
  receive(state(4));
  expect(cachedProduct()).toBeNull();
  expect(await fetchProduct()).toBeNull();
});

test("takes the number of watchers from an event, and drops it if an event has none", () => {
  const watching = () => queryClient.getQueryData(["watching", id]);
  followProduct(topic, JSON.stringify({ now: 0, product: state(1), watching: 63 }));
  expect(watching()).toBe(63);
  receive(state(2));
  expect(watching()).toBeNull();
});

test("treats a product id in capitals as the same product", async () => {
  answer = async () => respondWith(1);
  await queryClient.fetchQuery(productQuery(id.toUpperCase()));
  receive(state(2));
  expect(queryClient.getQueryData(productQuery(id.toUpperCase()).queryKey)?.version).toBe(2);
});

test("sets the page's clock by answers and events", async () => {
  const at = 1_900_000_000_000;
  answer = async () => respondWith(1, { "x-server-time": String(at) });
  await fetchProduct();
  expect(serverNow() - at).toBeGreaterThanOrEqual(-2);
  receive(state(2), at + 60_000);
  expect(serverNow() - at).toBeGreaterThanOrEqual(59_998);
});

test("fails with a code of its own for a missing product, a proxy's page and no answer", async () => {
  const missing = { defined: true, code: "not-found", status: 404, message: "Gone", data: null };
  answer = async () => Response.json(missing, { status: 404 });
  await expect(fetchProduct()).rejects.toMatchObject({ code: "not-found" });
  for (const status of [200, 404]) {
    answer = async () => new Response("<html>", { status });
    await expect(fetchProduct()).rejects.toMatchObject({ code: "unavailable" });
  }
  answer = async () => new Response("busy", { status: 502 });
  await expect(fetchProduct()).rejects.toMatchObject({ code: "unavailable" });
  answer = () => Promise.reject(new TypeError("offline"));
  await expect(fetchProduct()).rejects.toMatchObject({ code: "auth/network-request-failed" });
});

test("refetches the product after an event without a valid state", async () => {
  for (const data of ["null", "{}", '{"now":1}', '{"now":"1","product":null}', '{"now":1,"product":{}}']) {
    answer = async () => respondWith(1);
    await fetchProduct();
    followProduct(topic, data);
    expect(cachedProduct()?.version, data).toBe(1);
    expect(queryClient.getQueryState(productQuery(id).queryKey)?.isInvalidated, data).toBe(true);
  }
});

test("refetches the product when events may have been missed", async () => {
  answer = async () => respondWith(1);
  await fetchProduct();
  followProduct(topic, null);
  expect(queryClient.getQueryState(productQuery(id).queryKey)?.isInvalidated).toBe(true);
});
