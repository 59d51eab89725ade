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

const answers = (version: number, headers: Record<string, string> = {}) =>
  Response.json(state(version), { headers });
const receive = (product: ProductState | null, now = 1_700_000_000_000) =>
  followProduct(topic, JSON.stringify({ now, product }));
const cachedProduct = () => queryClient.getQueryData(productQuery(id).queryKey);
const fetching = () => queryClient.fetchQuery({ ...productQuery(id), staleTime: 0, retry: false });

test("news replace what is known only if they are newer", async () => {
  answer = async () => answers(3);
  await fetching();
  receive(state(5));
  expect(cachedProduct()?.version).toBe(5);
  receive(state(4));
  expect(cachedProduct()?.version).toBe(5);
});

test("an answer that news have overtaken changes nothing", async () => {
  const held = Promise.withResolvers<Response>();
  answer = () => held.promise;
  const asking = fetching();
  receive(state(7));
  held.resolve(answers(6));
  expect(await asking).toMatchObject({ version: 7 });
  expect(cachedProduct()?.version).toBe(7);
});

test("a product off sale stays so, whatever older news say", async () => {
  answer = async () => answers(3);
  await fetching();
  receive(null);
  expect(cachedProduct()).toBeNull();
  receive(state(4));
  expect(cachedProduct()).toBeNull();
  expect(await fetching()).toBeNull();
});

test("news say how many people watch, and that nobody is told any more", () => {
  const watching = () => queryClient.getQueryData(["watching", id]);
  followProduct(topic, JSON.stringify({ now: 0, product: state(1), watching: 63 }));
  expect(watching()).toBe(63);
  receive(state(2));
  expect(watching()).toBeNull();
});

test("a link in capitals is the same product", async () => {
  answer = async () => answers(1);
  await queryClient.fetchQuery(productQuery(id.toUpperCase()));
  receive(state(2));
  expect(queryClient.getQueryData(productQuery(id.toUpperCase()).queryKey)?.version).toBe(2);
});

test("the time of answer and news is the page's time", async () => {
  const at = 1_900_000_000_000;
  answer = async () => answers(1, { "x-server-time": String(at) });
  await fetching();
  expect(serverNow() - at).toBeGreaterThanOrEqual(-2);
  receive(state(2), at + 60_000);
  expect(serverNow() - at).toBeGreaterThanOrEqual(59_998);
});

test("a missing product, a proxy's page and no answer each have their code", async () => {
  const missing = { defined: true, code: "not-found", status: 404, message: "Gone", data: null };
  answer = async () => Response.json(missing, { status: 404 });
  await expect(fetching()).rejects.toMatchObject({ code: "not-found" });
  for (const status of [200, 404]) {
    answer = async () => new Response("<html>", { status });
    await expect(fetching()).rejects.toMatchObject({ code: "unavailable" });
  }
  answer = async () => new Response("busy", { status: 502 });
  await expect(fetching()).rejects.toMatchObject({ code: "unavailable" });
  answer = () => Promise.reject(new TypeError("offline"));
  await expect(fetching()).rejects.toMatchObject({ code: "auth/network-request-failed" });
});

test("an event without news refetches what a component shows", async () => {
  for (const data of ["null", "{}", '{"now":1}', '{"now":"1","product":null}', '{"now":1,"product":{}}']) {
    answer = async () => answers(1);
    await fetching();
    followProduct(topic, data);
    expect(cachedProduct()?.version, data).toBe(1);
    expect(queryClient.getQueryState(productQuery(id).queryKey)?.isInvalidated, data).toBe(true);
  }
});

test("asking again fetches what a component shows", async () => {
  answer = async () => answers(1);
  await fetching();
  followProduct(topic, null);
  expect(queryClient.getQueryState(productQuery(id).queryKey)?.isInvalidated).toBe(true);
});
