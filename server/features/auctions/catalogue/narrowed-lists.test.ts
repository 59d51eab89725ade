import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { CardUpdate, ListedProduct } from "#contract/listed-products.ts";
import { auctionSorts } from "#domain/auction-list.ts";
import { bid, closed, endAt, product, remove } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { openStream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let ada: Person;
let lamp: string;
const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour);

type Page = { products: ListedProduct[]; next: string | null };
async function page(input: object): Promise<Page> {
  const { status, body } = await new Caller(w.app).call("auctions.list", input);
  expect(status).toBe(200);
  return body as Page;
}
const names = async (input: object) => (await page(input)).products.map(({ productName }) => productName);

beforeAll(async () => {
  w = await wayfare();
  ada = await person(w, "student", "active");
  const bea = await person(w, "student", "active");
  lamp = await product(w, ada, { productName: "Brass lamp", startingBid: 10_000, endDate: inHours(0.5) });
  await product(w, ada, { productName: "Oak desk", startingBid: 20_000, endDate: inHours(20) });
  await product(w, bea, { productName: "Pine desk", startingBid: 30_000, endDate: inHours(60) });
  await product(w, bea, {
    productName: "Wall shelf",
    description: "Fits above a desk.",
    startingBid: 40_000,
    endDate: inHours(150),
  });
  const chair = await product(w, bea, { productName: "Chair", startingBid: 100, endDate: inHours(400) });
  await bid(ada.caller, chair, 500);
});
afterAll(() => w.stop());

/** Puts a product on sale and removes it after the test, because other tests read whole lists. */
async function onSaleForTest(changes: Parameters<typeof product>[2] = {}): Promise<string> {
  const id = await product(w, ada, changes);
  onTestFinished(async () => expect((await remove(ada, id)).status).toBe(200));
  return id;
}

describe("a narrowed list", () => {
  test.each([
    [{ priceFrom: 20_000, priceTo: 30_000 }, ["Oak desk", "Pine desk"]],
    [{ priceFrom: 40_001 }, ["Chair"]],
    [{ priceTo: 10_000 }, ["Brass lamp"]],
    [{ endsWithin: "1h" }, ["Brass lamp"]],
    [{ endsWithin: "24h" }, ["Brass lamp", "Oak desk"]],
    [{ endsWithin: "3d" }, ["Brass lamp", "Oak desk", "Pine desk"]],
    [{ endsWithin: "7d" }, ["Brass lamp", "Oak desk", "Pine desk", "Wall shelf"]],
    [{ bids: "some" }, ["Chair"]],
    [{ bids: "none", priceFrom: 30_000 }, ["Pine desk", "Wall shelf"]],
    [{ search: "desk", priceTo: 25_000 }, ["Oak desk"]],
    [{ search: "desk", endsWithin: "3d" }, ["Oak desk", "Pine desk"]],
    [{ category: "fashion", priceFrom: 0 }, []],
    [{ category: "home", subcategory: "Furniture", bids: "some" }, ["Chair"]],
  ])("%o, in every order", async (filters, expected: string[]) => {
    for (const sort of auctionSorts)
      expect((await names({ ...filters, sort })).toSorted(), sort).toEqual(expected.toSorted());
  });

  test("shows a seller's products without revealing the seller", async () => {
    expect(await names({ sellerOf: lamp })).toEqual(["Brass lamp", "Oak desk"]);
    expect(await names({ sellerOf: lamp, search: "desk" })).toEqual(["Oak desk"]);
    expect(await names({ sellerOf: lamp, priceTo: 10_000, sort: "newest" })).toEqual(["Brass lamp"]);
    expect(JSON.stringify(await page({ sellerOf: lamp }))).not.toContain(ada.id);
    expect(await names({ sellerOf: "00000000-0000-4000-8000-000000000000" })).toEqual([]);
  });

  test("continues after a page, in every order", async () => {
    for (const sort of ["endingSoonest", "newest", "priceUp", "priceDown"])
      for (const filters of [{ bids: "none" }, { sellerOf: lamp }]) {
        const all = await names({ ...filters, sort });
        const first = await page({ ...filters, sort, limit: 1 });
        expect(first.next).not.toBeNull();
        const second = await names({ ...filters, sort, cursor: first.next });
        expect([...first.products.map(({ productName }) => productName), ...second], sort).toEqual(all);
      }
  });

  test("follows an end that has moved", async () => {
    const id = await onSaleForTest({ productName: "Kettle", startingBid: 99_900, endDate: inHours(0.5) });
    expect(await names({ priceFrom: 90_000, endsWithin: "1h" })).toEqual(["Kettle"]);
    await endAt(w, id, inHours(5));
    expect(await names({ priceFrom: 90_000, endsWithin: "1h" })).toEqual([]);
    expect(await names({ priceFrom: 90_000, endsWithin: "24h" })).toEqual(["Kettle"]);
  });
});

test("results sorted by relevance say how each one fits, and others don't", async () => {
  const { products } = await page({ search: "desk" });
  expect(products.map(({ productName, fit }) => [productName, fit])).toEqual([
    ["Oak desk", "called"],
    ["Pine desk", "called"],
    ["Wall shelf", "mentioned"],
  ]);
  expect((await page({ search: "desk", sort: "newest" })).products.map(({ fit }) => fit)).toEqual([
    null,
    null,
    null,
  ]);
});

test("similar items are those that share words of the name, then those of the kind", async () => {
  const over = await product(w, ada, { ...closed, productName: "Pine desk with drawers" });
  await onSaleForTest({ productName: "Kettle" });
  const { body } = await new Caller(w.app).call("auctions.similar", { productId: over });
  const similar = (body as Page).products.map(({ productName }) => productName);
  expect(similar.slice(0, 2)).toEqual(["Pine desk", "Oak desk"]);
  expect(similar).toHaveLength(6);
  expect(similar).not.toContain("Pine desk with drawers");
  expect(
    await new Caller(w.app).call("auctions.similar", { productId: "00000000-0000-4000-8000-000000000000" }),
  ).toMatchObject({ status: 404 });
});

test("a list that shows a card gets its price, and nothing about others", async () => {
  const [id, other] = [await onSaleForTest(), await onSaleForTest()];
  const bidder = await person(w, "student", "active");
  const stream = await openStream(new Caller(w.app), `card:${id}`);
  await bid(bidder.caller, other, 200);
  await bid(bidder.caller, id, 300);
  const event = await stream.nextEvent();
  expect(event?.name).toBe(`card:${id}`);
  const update: CardUpdate = JSON.parse(event?.data ?? "null");
  expect(update.card).toMatchObject({ id, price: 30_000, bidCount: 1, state: "open", version: 2 });
  expect(Object.keys(update.card ?? {}).toSorted()).toEqual(
    ["bidCount", "endDate", "id", "leader", "price", "state", "version"].toSorted(),
  );
  await stream.leave();
});

test("the calendar file has the current end, until the auction is over", async () => {
  const id = await onSaleForTest({ productName: "Clock, old; ticks" });
  const endsAt = new Date("2027-01-02T03:04:05.000Z");
  await endAt(w, id, endsAt);
  const file = async (productId: string) =>
    await new Caller(w.app).request(`/auctions/products/${productId}/end.ics`, {});
  const response = await file(id);
  expect(response.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  const text = await response.text();
  for (const line of [
    "DTSTART:20270102T030405Z",
    "SUMMARY:Ends: Clock\\, old\\; ticks",
    `UID:auction-${id}@wayfare`,
    "TRIGGER:-PT1H",
  ])
    expect(text).toContain(`${line}\r\n`);
  const over = await product(w, ada, { ...closed });
  for (const missingId of [over, "x", "00000000-0000-4000-8000-000000000000"])
    expect((await file(missingId)).status).toBe(404);
});
