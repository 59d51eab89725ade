import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiDocument, fetchDocument } from "#tests/api/document.ts";
import { bid, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let api: ApiDocument;
let bidder: Person;
let productId: string;
beforeAll(async () => {
  w = await wayfare();
  api = await fetchDocument(w.app);
  bidder = await person(w, "student", "active");
  productId = await product(w, await person(w, "student", "active"));
});
afterAll(() => w.stop());

async function get(path: string) {
  const response = await bidder.caller.request(`/api/v1${path}`, {});
  return { body: Object(await response.json()), link: response.headers.get("link") };
}

async function placeBid(amount: unknown, key: string = randomUUID()) {
  const response = await bidder.caller.request(`/api/v1/auctions/${productId}/bids`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ amount }),
  });
  return { status: response.status, body: Object(await response.json()) };
}

const isIsoTime = (value: unknown) => typeof value === "string" && value === new Date(value).toISOString();

test("a bid is in cents, like the prices that are read", async () => {
  const [card] = (await get("/auctions")).body.products;
  expect(card).toMatchObject({ id: productId, price: 15_000 });
  const key = randomUUID();
  expect(await placeBid(19_000, key)).toMatchObject({ status: 200, body: { number: 1, amount: 19_000 } });
  expect(await placeBid(19_000, key)).toMatchObject({ status: 200, body: { number: 1, amount: 19_000 } });
  expect(await placeBid(19_100, key)).toMatchObject({ status: 409, body: { code: "already-exists" } });
  expect(await placeBid(19_000)).toMatchObject({
    status: 422,
    body: { code: "out-of-range", least: 19_100 },
  });
  expect((await get("/auctions")).body.products[0].price).toBe(19_000);
});

test.each(["20000", "R 200", 20_000.5, null, undefined, [20_000], true, 1e300])(
  "refuses %j as an amount, and names the field",
  async (amount) => {
    const { status, body } = await placeBid(amount);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "invalid-argument", errors: [{ field: "amount" }] });
    expect(body.errors[0].detail).toContain("whole cents");
  },
);

test("times are ISO 8601", async () => {
  await bid(bidder.caller, productId, 300);
  await product(w, bidder, { productName: "Own lamp" });
  const placed = await placeBid(40_000);
  const [card] = (await get("/auctions")).body.products;
  const [own] = (await get("/items")).body.products;
  const [mine] = (await get("/bids")).body.bids;
  const [latest] = (await get(`/auctions/${productId}/bids`)).body.bids;
  const times = [
    placed.body.at,
    card.endDate,
    own.createdAt,
    own.endDate,
    mine.endDate,
    mine.since,
    latest.at,
  ];
  expect(times.filter((time) => !isIsoTime(time))).toEqual([]);
  expect(latest.at).toBe(placed.body.at);
});

test("lists the latest bids first, with a link to the next page", async () => {
  const first = await get(`/auctions/${productId}/bids?limit=2`);
  const amounts = first.body.bids.map(({ amount }: { amount: number }) => amount);
  expect(amounts).toEqual([40_000, 30_000]);
  const next = /^<\/api\/v1(.+)>; rel="next"$/.exec(first.link ?? "")?.[1] ?? "";
  const second = await get(next);
  expect(second.body).toMatchObject({ bids: [{ amount: 19_000 }], next: null });
  expect(second.link).toBeNull();
});

/** Returns the names and schemas of all properties in the document, at any depth. */
function propertiesIn(node: unknown): [string, unknown][] {
  if (typeof node !== "object" || node === null) return [];
  const own = Object.entries(Object(node).properties ?? {});
  return [...own, ...Object.values(node).flatMap(propertiesIn)];
}

test("the document has one type for every name of an amount or a time", async () => {
  const amounts = /^(amount|price(From|To)?|least|instead|upTo|courier|[a-zA-Z]+(Amount|Price|Bid|Limit))$/;
  const times = /^(?!startDate$|pausedUntil$)(at|since|until|now|timestamp|[a-zA-Z]+(At|Date|Since|Until))$/;
  const typesOf = (pattern: RegExp) => {
    const types = propertiesIn(api.whole)
      .filter(([name]) => pattern.test(name))
      .flatMap(([, schema]) => [schema, ...(Object(schema).anyOf ?? [])])
      .flatMap((schema) => {
        const { type, format = "" } = Object(schema);
        return type === undefined || type === "null" ? [] : [`${type} ${format}`.trim()];
      });
    return [...new Set(types)];
  };
  expect(typesOf(amounts)).toEqual(["integer"]);
  expect(typesOf(times)).toEqual(["string date-time"]);
});
