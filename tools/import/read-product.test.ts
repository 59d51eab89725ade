import { describe, expect, test } from "vitest";
import type { Fields } from "./read-export.ts";
import { readBid, readProduct, replayBids, settlementOf } from "./read-product.ts";
import { Row } from "./row.ts";
import type { KnownAccount } from "./stored.ts";

const now = new Date("2026-11-22T12:00:00Z");
const ada: KnownAccount = { id: "ada", role: "student", status: "active" };
const bob: KnownAccount = { id: "bob", role: "agent", status: "approved" };
const eve: KnownAccount = { id: "eve", role: "student", status: "disabled" };
const accountOf = (id: string) => [ada, bob, eve].find((each) => each.id === id) ?? null;

const desk = {
  productName: "Desk",
  description: "Solid walnut.",
  startingBid: 150,
  category: "home",
  subcategory: "Furniture",
  grade: "Grade A",
  createdAt: "2026-11-01T12:00:00Z",
  endDate: "2026-11-20T12:00:00Z",
  imageUrls: ["auction-images/desk.jpg"],
};

function product(changes: Fields = {}) {
  const row = new Row("auction-products", { id: "p1", fields: { ...desk, ...changes } });
  return { ...readProduct(row, now), mended: row.mended };
}

test("an item is read unchanged", () => {
  expect(product()).toEqual({
    product: {
      productName: "Desk",
      description: "Solid walnut.",
      startingBid: 15_000,
      category: "home",
      subcategory: "Furniture",
      grade: "Grade A",
      handover: "",
      softClose: false,
      collectionPlace: "",
      courier: null,
      endDate: new Date("2026-11-20T12:00:00Z"),
    },
    createdAt: new Date("2026-11-01T12:00:00Z"),
    pictures: ["auction-images/desk.jpg"],
    mended: [],
  });
});

test("choices in different letter case, one picture in its own field, and too many pictures are repaired", () => {
  const spelt = product({
    category: "Home",
    subcategory: "furniture",
    grade: "a+",
    startingBid: "R 1,500.50",
    imageUrls: [],
    imageUrl: "auction-images/desk.jpg",
  });
  expect(spelt.product).toMatchObject({
    category: "home",
    subcategory: "Furniture",
    grade: "Grade A+",
    startingBid: 150_050,
  });
  expect(spelt.pictures).toEqual(["auction-images/desk.jpg"]);
  expect(spelt.mended).toHaveLength(3);
  const many = Array.from({ length: 7 }, (_, place) => `auction-images/${place}.jpg`);
  expect(product({ imageUrls: ["documents/passport/x.jpg", ...many] })).toMatchObject({
    pictures: many.slice(0, 5),
    mended: [
      "imageUrls: left out what is no file below auction-images/, or is twice",
      "imageUrls: left out those after the first 5",
    ],
  });
});

test("an item may end in a minute, or have ended a minute after it was listed", () => {
  expect(product({ endDate: "2026-11-22T12:01:00Z" }).mended).toEqual([]);
  expect(product({ createdAt: "2026-11-20T11:59:00Z" }).mended).toEqual([]);
});

test.each<[what: string, changes: Fields, reason: RegExp]>([
  ["without an end", { endDate: null }, /^endDate/],
  ["that ends in a year", { endDate: "2027-11-22T12:00:00Z" }, /^endDate/],
  ["that ended before it began", { createdAt: "2026-11-21T12:00:00Z" }, /createdAt is not before endDate/],
  ["for nothing", { startingBid: 0 }, /^startingBid/],
  ["for parts of a cent", { startingBid: 0.1 + 0.2 }, /^startingBid/],
  ["of no kind", { category: "constructor" }, /^(sub)?category/],
  ["of another category's kind", { subcategory: "Phones" }, /^subcategory/],
  ["without a picture", { imageUrls: ["https://example.org/x.jpg"] }, /^images/],
  ["with a name that is too long", { productName: "x".repeat(121) }, /^productName/],
])("refuses one %s", (_, changes, reason) => {
  expect(() => product(changes)).toThrow(reason);
});

const bid = (key: string, bidder: KnownAccount, rand: number, createdAt: string) =>
  readBid(new Row("bids", { id: key, fields: { bidAmount: rand, createdAt } }), key, bidder, now);

describe("bids", () => {
  const bids = [
    bid("late", bob, 900, "2026-11-20T12:00:00Z"),
    bid("second", bob, 200.5, "2026-11-03T12:00:00Z"),
    bid("first", ada, 150, "2026-11-02T12:00:00Z"),
    bid("low", ada, 201.49, "2026-11-04T12:00:00Z"),
    bid("equal", ada, 200.5, "2026-11-03T12:00:00Z"),
    bid("own", { id: "seller", role: "student", status: "active" }, 500, "2026-11-05T12:00:00Z"),
    bid("third", eve, 300, "2026-11-06T12:00:00Z"),
  ];
  const { product: item } = product();

  test("are taken in the order of time, as far as each was valid then", () => {
    const refused = new Map<string, string>();
    const replay = replayBids(item, "seller", bids, ({ key }, reason) => refused.set(key, reason));
    expect(replay.map(({ key, amount }) => [key, amount])).toEqual([
      ["first", 15_000],
      ["equal", 20_050],
      ["third", 30_000],
    ]);
    expect([...refused]).toEqual([
      ["second", expect.stringContaining("not R1 above")],
      ["low", expect.stringContaining("not R1 above")],
      ["own", "it is the seller's own"],
      ["late", "it came after the end"],
    ]);
  });

  test("decide the buyer: the highest bidder with access", () => {
    const replay = replayBids(item, "seller", bids, () => {});
    expect(settlementOf(item.endDate, replay, accountOf, now)).toEqual({
      state: "sold",
      closedAt: item.endDate,
      winnerId: "ada",
      winningBid: 20_050,
    });
    expect(settlementOf(item.endDate, [], accountOf, now)).toMatchObject({
      state: "unsold",
      winnerId: null,
    });
    expect(settlementOf(new Date("2026-11-23"), replay, accountOf, now)).toMatchObject({ state: "open" });
  });

  test.each<[what: string, fields: Fields, reason: RegExp]>([
    ["without a time", { bidAmount: 200 }, /createdAt is missing/],
    ["in the future", { bidAmount: 200, createdAt: "2026-12-01T00:00:00Z" }, /future/],
    ["of no amount", { bidAmount: "lots", createdAt: "2026-11-02T00:00:00Z" }, /bidAmount/],
    ["of an endless amount", { bidAmount: 1e21, createdAt: "2026-11-02T00:00:00Z" }, /bidAmount/],
  ])("refuses one %s", (_, fields, reason) => {
    expect(() => readBid(new Row("bids", { id: "b", fields }), "b", ada, now)).toThrow(reason);
  });

  test("refuses one without a bidder", () => {
    expect(() => readBid(new Row("bids", { id: "b", fields: {} }), "b", null, now)).toThrow(/no account/);
  });
});
