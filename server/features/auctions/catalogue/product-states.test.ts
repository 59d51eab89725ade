import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ProductState } from "#contract/auctions.ts";
import { bid, closed, product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { openStream } from "#tests/support/stream.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionBidding, auctionProduct } from "../tables.ts";

let one: Wayfare;
let two: Wayfare;
let seller: Person;
let bidders: Person[];
beforeAll(async () => {
  one = await wayfare();
  two = await wayfare({ on: one.address });
  seller = await person(one, "student", "active");
  bidders = await Promise.all(Array.from({ length: 3 }, () => person(one, "student", "active")));
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const caller = (at: number): Caller => bidders[at]?.caller ?? new Caller(one.app);

/** Requests a product like a visitor's browser. */
async function readPublic(w: Wayfare, id: string): Promise<ProductState | null> {
  const response = await new Caller(w.app).request(`/auctions/products/${id}`, {});
  return response.status === 200 ? ((await response.json()) as ProductState) : null;
}

/**
 * Changes a price in the database without an event: the node still answers from its cache unless something makes it
 * read again.
 */
async function changeSilently(id: string, price: number): Promise<void> {
  await one.services.database.db
    .update(auctionBidding)
    .set({ price, bidCount: 1 })
    .where(eq(auctionBidding.productId, id));
}

describe("the public state of a product", () => {
  test("has price, least bid, count and masked history, with tags of bidders that are unique to the product", async () => {
    const [id, other] = [await product(one, seller), await product(one, seller)];
    for (const [at, amount] of [150, 151, 200].entries()) await bid(caller(at % 2), id, amount);
    await bid(caller(0), other, 150);
    const state = await readPublic(one, id);
    expect(state).toMatchObject({ price: 20_000, leastBid: 20_100, bidCount: 3, state: "open" });
    expect(state?.bids.map(({ number, bidder, amount }) => [number, bidder, amount])).toEqual([
      [3, "A***i", 20_000],
      [2, "A***i", 15_100],
      [1, "A***i", 15_000],
    ]);
    const [third, second, first] = state?.bids ?? [];
    expect(state?.leader).toBe(third?.tag);
    expect(first?.tag).toBe(third?.tag);
    expect(second?.tag).not.toBe(third?.tag);
    expect((await readPublic(one, other))?.leader).not.toBe(state?.leader);
    expect(JSON.stringify(state)).not.toMatch(/Ada Obi|example\.org/);
    for (const { id: bidder } of bidders) expect(JSON.stringify(state)).not.toContain(bidder);
  });

  test("comes with the server's time, to the millisecond", async () => {
    const id = await product(one, seller);
    const before = Date.now();
    const response = await new Caller(one.app).request(`/auctions/products/${id}`, {});
    expect(Number(response.headers.get("x-server-time"))).toBeGreaterThanOrEqual(before);
    expect(Number(response.headers.get("x-server-time"))).toBeLessThanOrEqual(Date.now());
  });

  test("is shown for an ended product, but not for a removed one, an unknown one and an invalid id", async () => {
    expect(await readPublic(one, await product(one, seller, closed))).toMatchObject({ state: "unsold" });
    const removed = await product(one, seller, { state: "removed", removedBy: "seller" });
    for (const id of [removed, randomUUID(), "nonsense", "%00", "..%2f..%2f"])
      expect(await readPublic(one, id)).toBeNull();
  });

  test("reveals the names behind the tags only to the seller", async () => {
    const id = await product(one, seller);
    await bid(caller(0), id, 150);
    const state = await readPublic(one, id);
    const relation = (who: Caller) => who.call("auctions.relation", { productId: id });
    expect((await relation(seller.caller)).body).toMatchObject({
      isSeller: true,
      ownBid: null,
      names: { [state?.leader ?? ""]: "Ada Obi" },
    });
    expect((await relation(caller(0))).body).toEqual({
      tag: state?.leader,
      isSeller: false,
      ownBid: 15_000,
      withdrawn: false,
      ownLimit: null,
      names: {},
      contact: null,
    });
    expect((await relation(caller(1))).body).toMatchObject({ ownBid: null, names: {} });
  });
});

describe("the cache of products", () => {
  test("answers without the database, and adds the node's own bids", async () => {
    const id = await product(one, seller);
    expect((await readPublic(one, id))?.price).toBe(15_000);
    await changeSilently(id, 777_700);
    expect((await readPublic(one, id))?.price).toBe(15_000);
    await bid(caller(0), id, 7_778);
    expect((await readPublic(one, id))?.price).toBe(777_800);
  });

  test("is updated after bids on another node", async () => {
    const id = await product(one, seller);
    expect((await readPublic(two, id))?.bidCount).toBe(0);
    await bid(caller(0), id, 150);
    await until(async () => (await readPublic(two, id))?.bidCount === 1);
    await bid(caller(1), id, 160);
    expect(await until(async () => (await readPublic(two, id))?.bids.length === 2)).toBe(true);
    expect(await readPublic(two, id)).toEqual(await readPublic(one, id));
  });

  test("is updated after a change that was not announced", async () => {
    const id = await product(one, seller);
    expect((await readPublic(two, id))?.state).toBe("open");
    const { db } = one.services.database;
    await db.update(auctionProduct).set({ state: "removed" }).where(eq(auctionProduct.id, id));
    await until(async () => (await readPublic(two, id)) === null);
    const sold = await product(one, seller);
    expect((await readPublic(two, sold))?.version).toBe(1);
    await db
      .update(auctionBidding)
      .set({ version: sql`version + 1`, price: 99_900, bidCount: 1 })
      .where(eq(auctionBidding.productId, sold));
    await until(async () => (await readPublic(two, sold))?.price === 99_900);
  });

  test.each([
    ["even by a node that trusts no events", 0],
    ["even if the product is read first", 1],
  ])("sends watchers a change that was not announced, %s", async (_, reads) => {
    const id = await product(one, seller);
    const stream = await openStream(new Caller(two.app), `product:${id}`);
    const trust = vi.spyOn(two.services.bus, "isTrusted").mockReturnValue(false);
    try {
      await readPublic(two, id);
      await one.services.database.db
        .update(auctionBidding)
        .set({ version: sql`version + 1`, price: 99_900, bidCount: 1 })
        .where(eq(auctionBidding.productId, id));
      for (let read = 0; read < reads; read++) await readPublic(two, id);
      while ((await stream.next()) !== `product:${id}`);
    } finally {
      trust.mockRestore();
      await stream.leave();
    }
  });

  test("evicts a changed product on all nodes, and doesn't keep a read that was pending", async () => {
    const id = await product(one, seller);
    await readPublic(one, id);
    await changeSilently(id, 500_000);
    const reading = Promise.all([readPublic(one, id), readPublic(two, id)]);
    one.services.products.changed([id]);
    await reading;
    expect((await readPublic(one, id))?.price).toBe(500_000);
    await until(async () => (await readPublic(two, id))?.price === 500_000);
  });

  test("reads a product that is not cached once for many concurrent callers", async () => {
    const id = await product(one, seller);
    const { pool } = one.services.database;
    const query = pool.query.bind(pool);
    let lookups = 0;
    // The node also queries which auctions have ended, which is not counted.
    const countingQuery = (...rest: Parameters<typeof query>) => {
      if (JSON.stringify(rest).includes(id)) lookups++;
      return query(...rest);
    };
    pool.query = countingQuery as typeof pool.query;
    const answers = await Promise.all(Array.from({ length: 50 }, () => one.services.products.read(id)));
    pool.query = query;
    expect(new Set(answers).size).toBe(1);
    // The product, its pictures and its bids take one query each.
    expect(lookups).toBe(3);
  });
});
