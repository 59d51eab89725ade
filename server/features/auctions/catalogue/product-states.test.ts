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
async function shown(w: Wayfare, id: string): Promise<ProductState | null> {
  const response = await new Caller(w.app).request(`/auctions/products/${id}`, {});
  return response.status === 200 ? ((await response.json()) as ProductState) : null;
}

/**
 * Changes a price in the database without an event: the node still answers from its cache unless something makes it
 * read again.
 */
async function behindItsBack(id: string, price: number): Promise<void> {
  await one.services.database.db
    .update(auctionBidding)
    .set({ price, bidCount: 1 })
    .where(eq(auctionBidding.productId, id));
}

describe("what everyone sees", () => {
  test("price, least bid, count and masked history, with a tag for each bidder that means nothing elsewhere", async () => {
    const [id, other] = [await product(one, seller), await product(one, seller)];
    for (const [at, amount] of [150, 151, 200].entries()) await bid(caller(at % 2), id, amount);
    await bid(caller(0), other, 150);
    const state = await shown(one, id);
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
    expect((await shown(one, other))?.leader).not.toBe(state?.leader);
    expect(JSON.stringify(state)).not.toMatch(/Ada Obi|example\.org/);
    for (const { id: bidder } of bidders) expect(JSON.stringify(state)).not.toContain(bidder);
  });

  test("the server's time comes with it, to the millisecond", async () => {
    const id = await product(one, seller);
    const before = Date.now();
    const response = await new Caller(one.app).request(`/auctions/products/${id}`, {});
    expect(Number(response.headers.get("x-server-time"))).toBeGreaterThanOrEqual(before);
    expect(Number(response.headers.get("x-server-time"))).toBeLessThanOrEqual(Date.now());
  });

  test("an ended product is still shown; a removed one, an unknown one and a wrong id are not", async () => {
    expect(await shown(one, await product(one, seller, closed))).toMatchObject({ state: "unsold" });
    const removed = await product(one, seller, { state: "removed", removedBy: "seller" });
    for (const id of [removed, randomUUID(), "nonsense", "%00", "..%2f..%2f"])
      expect(await shown(one, id)).toBeNull();
  });

  test("the names behind the tags are the seller's alone", async () => {
    const id = await product(one, seller);
    await bid(caller(0), id, 150);
    const state = await shown(one, id);
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

describe("memory", () => {
  test("answers without the database, and takes over one's own bids", async () => {
    const id = await product(one, seller);
    expect((await shown(one, id))?.price).toBe(15_000);
    await behindItsBack(id, 777_700);
    expect((await shown(one, id))?.price).toBe(15_000);
    await bid(caller(0), id, 7_778);
    expect((await shown(one, id))?.price).toBe(777_800);
  });

  test("learns of bids on another node", async () => {
    const id = await product(one, seller);
    expect((await shown(two, id))?.bidCount).toBe(0);
    await bid(caller(0), id, 150);
    await until(async () => (await shown(two, id))?.bidCount === 1);
    await bid(caller(1), id, 160);
    expect(await until(async () => (await shown(two, id))?.bids.length === 2)).toBe(true);
    expect(await shown(two, id)).toEqual(await shown(one, id));
  });

  test("notices a change that nobody announced", async () => {
    const id = await product(one, seller);
    expect((await shown(two, id))?.state).toBe("open");
    const { db } = one.services.database;
    await db.update(auctionProduct).set({ state: "removed" }).where(eq(auctionProduct.id, id));
    await until(async () => (await shown(two, id)) === null);
    const sold = await product(one, seller);
    expect((await shown(two, sold))?.version).toBe(1);
    await db
      .update(auctionBidding)
      .set({ version: sql`version + 1`, price: 99_900, bidCount: 1 })
      .where(eq(auctionBidding.productId, sold));
    await until(async () => (await shown(two, sold))?.price === 99_900);
  });

  test.each([
    ["even by a node that trusts no event", 0],
    ["also when somebody reads it first", 1],
  ])("watchers are told of a change that nobody announced, %s", async (_, reads) => {
    const id = await product(one, seller);
    const stream = await openStream(new Caller(two.app), `product:${id}`);
    const trust = vi.spyOn(two.services.bus, "isTrusted").mockReturnValue(false);
    try {
      await shown(two, id);
      await one.services.database.db
        .update(auctionBidding)
        .set({ version: sql`version + 1`, price: 99_900, bidCount: 1 })
        .where(eq(auctionBidding.productId, id));
      for (let read = 0; read < reads; read++) await shown(two, id);
      while ((await stream.next()) !== `product:${id}`);
    } finally {
      trust.mockRestore();
      await stream.leave();
    }
  });

  test("a change evicts it everywhere, and an answer on its way by then is not kept", async () => {
    const id = await product(one, seller);
    await shown(one, id);
    await behindItsBack(id, 500_000);
    const reading = Promise.all([shown(one, id), shown(two, id)]);
    one.services.products.changed([id]);
    await reading;
    expect((await shown(one, id))?.price).toBe(500_000);
    await until(async () => (await shown(two, id))?.price === 500_000);
  });

  test("many who ask at once for what is not known cause one look into the database", async () => {
    const id = await product(one, seller);
    const { pool } = one.services.database;
    const query = pool.query.bind(pool);
    let lookups = 0;
    // The node also asks which auctions have ended, which is not counted.
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
