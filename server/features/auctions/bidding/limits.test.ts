import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decideBid, leastBid, newBidding } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { bid, bidUpTo, endAt, product, storedProduct } from "#tests/support/auctions.ts";
import type { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { bar } from "#tests/support/sales.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { settleDue } from "../settlement/closer.ts";
import { auctionBid, auctionBidder, auctionLimit } from "../tables.ts";
import { notifyOutbid } from "./outbid.ts";

let w: Wayfare;
let second: Wayfare;
let seller: Person;
let ada: Person;
let bea: Person;
let admin: Person;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  seller = await person(w, "agent", "pending");
  ada = await person(w, "student", "active");
  bea = await person(w, "student", "active");
  admin = await person(w, "admin", "active");
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

const elsewhere = ({ caller }: Person): Caller => caller.on(second.app);
const history = (productId: string) =>
  w.services.database.db
    .select({ bidderId: auctionBid.bidderId, amount: auctionBid.amount, kind: auctionBid.kind })
    .from(auctionBid)
    .where(eq(auctionBid.productId, productId))
    .orderBy(asc(auctionBid.number));
const relation = async ({ caller }: Person, productId: string) =>
  (await caller.call("auctions.relation", { productId })).body;

describe("a limit", () => {
  test("leads with the starting bid, outbids a rival immediately, and is shown once it is used up", async () => {
    const id = await product(w, seller, { startingBid: 15_000 });
    expect((await bidUpTo(ada.caller, id, 500)).body).toMatchObject({
      number: 1,
      amount: 50_000,
      leading: true,
      least: 15_100,
    });
    expect((await bid(bea.caller, id, 200)).body).toMatchObject({
      number: 2,
      amount: 20_000,
      leading: false,
      least: 20_200,
    });
    expect((await bidUpTo(bea.caller, id, 600)).body).toMatchObject({
      number: 5,
      leading: true,
      least: 50_200,
    });
    expect(await history(id)).toEqual([
      { bidderId: ada.id, amount: 15_000, kind: "auto" },
      { bidderId: bea.id, amount: 20_000, kind: "bid" },
      { bidderId: ada.id, amount: 20_100, kind: "auto" },
      { bidderId: ada.id, amount: 50_000, kind: "auto" },
      { bidderId: bea.id, amount: 50_100, kind: "auto" },
    ]);
    const state = await second.services.products.read(id);
    expect(state).toMatchObject({ price: 50_100, leastBid: 50_200, bidCount: 5 });
    expect(state?.bids.map(({ automatic }) => automatic)).toEqual([true, true, true, false, true]);
  });

  test("is refused below the minimum, with the specified message", async () => {
    const id = await product(w, seller, { startingBid: 15_000 });
    expect(await bidUpTo(ada.caller, id, 149.99)).toMatchObject({
      code: "out-of-range",
      message: "Your bid must be at least R150.00.",
    });
    await bidUpTo(ada.caller, id, 500);
    expect(await bidUpTo(bea.caller, id, 150.99)).toMatchObject({
      message: "Your bid must be at least R151.00.",
    });
    expect(await bidUpTo(ada.caller, id, 149)).toMatchObject({
      message: "Your bid must be at least R150.00.",
    });
  });

  test("moves up and down unnoticed by others, and ends at the price", async () => {
    const id = await product(w, seller, { startingBid: 15_000 });
    await bidUpTo(ada.caller, id, 500);
    const before = await storedProduct(w, id);
    const moved = await bidUpTo(elsewhere(ada), id, 800);
    expect(moved.body).toMatchObject({ number: 1, amount: 80_000, leading: true });
    expect(await relation(ada, id)).toMatchObject({ ownBid: 15_000, ownLimit: 80_000 });
    const after = await storedProduct(w, id);
    expect([after.version, after.bidCount, after.price]).toEqual([before.version, 1, 15_000]);
    await bidUpTo(ada.caller, id, 150);
    expect(await relation(ada, id)).toMatchObject({ ownLimit: null });
    expect((await bid(bea.caller, id, 151)).body).toMatchObject({ leading: true });
  });

  test("can be lowered and stopped by a barred leader, who can make no other bid", async () => {
    const leader = await person(w, "student", "active");
    const id = await product(w, seller, { startingBid: 15_000 });
    await bidUpTo(leader.caller, id, 500);
    await bar(w, leader);
    for (const refused of [bidUpTo(leader.caller, id, 501), bid(leader.caller, id, 151)])
      expect((await refused).message).toContain("You can't bid or sell until");
    expect((await bidUpTo(leader.caller, id, 400)).body).toMatchObject({ amount: 40_000, leading: true });
    expect((await bidUpTo(leader.caller, id, 150)).body).toMatchObject({ amount: 15_000, leading: true });
    expect((await bid(bea.caller, id, 151)).body).toMatchObject({ number: 2, leading: true });
    expect((await bidUpTo(leader.caller, id, 150)).message).toContain("You can't bid or sell until");
  });

  test("is repeated under its key, and refused under it with another amount or form", async () => {
    const id = await product(w, seller, { startingBid: 15_000 });
    const key = randomUUID();
    const first = await bidUpTo(ada.caller, id, 500, key);
    expect((await bidUpTo(elsewhere(ada), id, 500, key)).body).toEqual(first.body);
    for (const other of [bidUpTo(ada.caller, id, 501, key), bid(ada.caller, id, 500, key)])
      expect((await other).code).toBe("already-exists");
    const move = randomUUID();
    const moved = await bidUpTo(ada.caller, id, 700, move);
    await bidUpTo(ada.caller, id, 600);
    expect((await bidUpTo(ada.caller, id, 700, move)).body).toEqual(moved.body);
    expect(await relation(ada, id)).toMatchObject({ ownLimit: 60_000 });
    expect(await history(id)).toHaveLength(1);
  });

  test("leads if it was the earlier of two equal ones sent concurrently to two nodes", async () => {
    const id = await product(w, seller, { startingBid: 15_000 });
    const answers = await Promise.all([bidUpTo(ada.caller, id, 500), bidUpTo(elsewhere(bea), id, 500)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const rows = await history(id);
    expect(rows.map(({ amount }) => amount)).toEqual([15_000, 50_000, 50_000]);
    expect(rows.at(-1)?.bidderId).toBe(rows[0]?.bidderId);
  });

  test("wins at the public price", async () => {
    const id = await product(w, seller, { startingBid: 15_000 });
    await bidUpTo(ada.caller, id, 987.65);
    await bid(bea.caller, id, 300);
    await endAt(w, id, new Date(Date.now() - 1_000));
    await settleDue(w.services);
    expect(await storedProduct(w, id)).toMatchObject({ winnerId: ada.id, winningBid: 30_100 });
    expect(await relation(ada, id)).toMatchObject({ ownLimit: 98_765 });
  });

  test("stops bidding for a bidder who was shut out", async () => {
    const lost = await person(w, "student", "active");
    const id = await product(w, seller, { startingBid: 15_000 });
    await bidUpTo(lost.caller, id, 500);
    expect(
      (await admin.caller.call("students.setDisabled", { userId: lost.id, disabled: true })).status,
    ).toBe(200);
    expect((await bid(bea.caller, id, 200)).body).toMatchObject({ number: 2, leading: true });
  });
});

test("a limit that isn't used up appears in no answer, event, log, mail or page but its owner's", async () => {
  // An amount that no other number contains.
  const canary = 7_318_529;
  const id = await product(w, seller, { startingBid: 15_000 });
  await bidUpTo(ada.caller, id, canary / 100);
  const beaten = await bid(bea.caller, id, 400);
  await bidUpTo(bea.caller, id, 500);
  await notifyOutbid(w.services, [id]);
  await endAt(w, id, new Date(Date.now() - 1_000));
  const texts = async (): Promise<string> => {
    const others = await Promise.all(
      [seller, bea, admin].flatMap(({ caller }) => [
        caller.call("auctions.relation", { productId: id }),
        caller.call("auctions.bids", { productId: id }),
        caller.call("auctions.product", { productId: id }),
        caller.call("auctions.myBids"),
        caller.call("auctions.own"),
      ]),
    );
    const { rows } = await w.services.database.pool.query(
      "select about, ids from notification union all select detail, null from audit",
    );
    const page = await (await w.app.request(`/auctions/products/${id}`)).text();
    return JSON.stringify([beaten.body, others.map(({ body }) => body), rows, w.log, second.log, page]);
  };
  const all = [await texts()];
  await settleDue(w.services);
  all.push(await texts());
  for (const digits of ["7318529", "73185.29", "73,185.29", "73 185"])
    for (const text of all) expect(text).not.toContain(digits);
  expect(JSON.stringify(await relation(ada, id))).toContain(String(canary));
});

describe("being outbid", () => {
  const notificationsOf = async ({ id }: Person, productId: string) => {
    const rows = await w.services.database.db.select().from(notification).where(eq(notification.userId, id));
    return rows.filter(({ kind, path }) => kind === "outbid" && path === `/product/${productId}`);
  };

  test("is in the answer if it is immediate, and in the bell if a limit is overtaken later", async () => {
    const id = await product(w, seller, { startingBid: 15_000 });
    await bidUpTo(ada.caller, id, 300);
    await bid(bea.caller, id, 200);
    await notifyOutbid(w.services, [id]);
    expect(await notificationsOf(bea, id)).toEqual([]);
    await bid(bea.caller, id, 400);
    await until(async () => (await notificationsOf(ada, id)).length === 1);
    expect(await notificationsOf(bea, id)).toEqual([]);
  });
});

test("random bids of both forms from two nodes leave the history that the rules give, bid by bid", async () => {
  const id = await product(w, seller, { startingBid: 15_000 });
  const callers = [ada.caller, elsewhere(bea), bea.caller, elsewhere(ada)];
  const ids = [ada.id, bea.id, bea.id, ada.id];
  let least: Cents = 15_000;
  for (let round = 0; round < 15; round++) {
    const answers = await Promise.all(
      callers.map((caller, at) => {
        const rand = (least + ((round * 7 + at * 13) % 9) * 150) / 100;
        return (round + at) % 2 ? bid(caller, id, rand) : bidUpTo(caller, id, rand);
      }),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
    ({ leastBid: least = least } = (await w.services.products.read(id)) ?? {});
  }
  // Deciding the stored attempts again, in their order, leads to the stored history.
  const { db } = w.services.database;
  const rows = await db
    .select()
    .from(auctionBid)
    .where(eq(auctionBid.productId, id))
    .orderBy(auctionBid.number);
  const limits = await db.select().from(auctionLimit).where(eq(auctionLimit.productId, id));
  const limitOf = new Map(limits.map((limit) => [limit.idempotencyKey, limit]));
  const moves = limits.filter(
    ({ idempotencyKey }) => !rows.some((row) => row.idempotencyKey === idempotencyKey),
  );
  const attempts = [
    ...rows.flatMap(({ number, bidderId, amount, idempotencyKey, createdAt }) => {
      if (idempotencyKey === null) return [];
      const limit = limitOf.get(idempotencyKey);
      const form = limit ? ("upTo" as const) : ("exact" as const);
      return [{ number, bidderId, form, cents: limit?.amount ?? amount, createdAt }];
    }),
    ...moves.map(({ number, bidderId, amount, createdAt }) => ({
      number,
      bidderId,
      form: "upTo" as const,
      cents: amount,
      createdAt,
    })),
  ].toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || one.number - other.number,
  );
  let bidding = newBidding({
    sellerId: seller.id,
    startingBid: 15_000,
    endDate: new Date(Date.now() + 3_600_000),
    latestEnd: null,
  });
  const decided = attempts.flatMap(({ bidderId, form, cents, createdAt }) => {
    const amount = { kind: "amount", cents } as const;
    const outcome = decideBid(bidding, { bidderId, form, amount, unverifiedLimit: null }, createdAt);
    if (outcome.kind !== "accepted") throw new Error(outcome.kind);
    bidding = outcome.bidding;
    return outcome.bids;
  });
  expect(rows.map(({ bidderId, amount, kind }) => ({ bidderId, amount, kind }))).toEqual(decided);
  const state = await storedProduct(w, id);
  expect([state.price, state.highestBidderId, state.leaderLimit]).toEqual([
    bidding.highestBid,
    bidding.highestBidderId,
    bidding.leaderLimit,
  ]);
  expect(least).toBe(leastBid(bidding));
  const bidderRows = await db.select().from(auctionBidder).where(eq(auctionBidder.productId, id));
  expect(new Set(bidderRows.map(({ bidderId }) => bidderId))).toEqual(new Set(ids));
});
