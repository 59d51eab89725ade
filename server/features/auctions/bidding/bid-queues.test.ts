import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { bid, closed, endAt, product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionBid, auctionBidder, auctionBidding } from "../tables.ts";

let w: Wayfare;
let second: Wayfare;
let seller: Person;
let bidders: Person[];
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  seller = await person(w, "agent", "pending");
  bidders = await Promise.all(Array.from({ length: 4 }, () => person(w, "student", "active")));
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

const bidder = (at = 0): Caller => bidders[at]?.caller ?? new Caller(w.app);
/** Returns a caller of the other node with the same person's cookies. */
const elsewhere = (at: number): Caller => {
  const caller = new Caller(second.app);
  for (const [name, value] of bidder(at).cookies) caller.cookies.set(name, value);
  return caller;
};
const bidsOf = (productId: string) =>
  w.services.database.db
    .select({ number: auctionBid.number, amount: auctionBid.amount, bidderId: auctionBid.bidderId })
    .from(auctionBid)
    .where(eq(auctionBid.productId, productId))
    .orderBy(asc(auctionBid.number));

describe("a bid", () => {
  test("is accepted from the starting bid on, and then from R1 above the highest", async () => {
    const id = await product(w, seller, { startingBid: 15_000 });
    expect(await bid(bidder(), id, 149.99)).toMatchObject({
      code: "out-of-range",
      message: "Your bid must be at least R150.00.",
    });
    expect(await bid(bidder(), id, 150)).toMatchObject({
      status: 200,
      body: { number: 1, amount: 15_000 },
    });
    expect(await bid(bidder(1), id, 150.99)).toMatchObject({
      message: "Your bid must be at least R151.00.",
      body: { data: { least: 15_100 } },
    });
    expect(await bid(bidder(1), id, 1250.5)).toMatchObject({ body: { number: 2, amount: 125_050 } });
    expect(await bidsOf(id)).toMatchObject([
      { number: 1, amount: 15_000, bidderId: bidders[0]?.id },
      { number: 2, amount: 125_050, bidderId: bidders[1]?.id },
    ]);
  });

  test("may be raised by the leader", async () => {
    const id = await product(w, seller);
    expect((await bid(bidder(), id, 150)).status).toBe(200);
    expect((await bid(bidder(), id, 151)).status).toBe(200);
  });

  test("may be made by anyone with access: a pending agent, an admin", async () => {
    const id = await product(w, seller);
    const pendingAgent = await person(w, "agent", "pending");
    const admin = await person(w, "admin", "active");
    expect((await bid(pendingAgent.caller, id, 150)).status).toBe(200);
    expect((await bid(admin.caller, id, 151)).status).toBe(200);
  });
});

describe("each refusal has its own message, and stores nothing", () => {
  const cases: [number, string][] = [
    [149.99, "Your bid must be at least R150.00."],
    [0, "Your bid must be at least R150.00."],
    [-200, "Your bid must be at least R150.00."],
    [100_000_000.01, "Your bid can be at most R100,000,000.00."],
    [90_000_000_000_000, "Your bid can be at most R100,000,000.00."],
  ];
  test.each(cases)("R%d", async (rand, message) => {
    const id = await product(w, seller);
    expect(await bid(bidder(), id, rand)).toMatchObject({ code: "out-of-range", message });
    expect(await bidsOf(id)).toEqual([]);
  });

  test.each(["", "200", "R 200.00", 20_000.5])("an input that isn't an amount: %j", async (amount) => {
    const productId = await product(w, seller);
    const answer = await bidder().call("auctions.bid", { productId, amount, idempotencyKey: randomUUID() });
    expect(answer.code).toBe("invalid-argument");
    expect(await bidsOf(productId)).toEqual([]);
  });

  test("more than the limit, before the email address is verified", async () => {
    const id = await product(w, seller);
    const newcomer = await person(w, "student", "active");
    const verify = (emailVerified: boolean) =>
      w.services.database.db.update(user).set({ emailVerified }).where(eq(user.id, newcomer.id));
    await verify(false);
    expect(await bid(newcomer.caller, id, 10_000.01)).toMatchObject({
      status: 403,
      code: "account/unverified",
      message:
        "Until you verify your email address, you can bid up to R10,000.00. Please open the link we emailed you, or ask for a new one.",
    });
    expect(await bidsOf(id)).toEqual([]);
    expect((await bid(newcomer.caller, id, 10_000)).status).toBe(200);
    await verify(true);
    expect((await bid(newcomer.caller, id, 10_001)).status).toBe(200);
  });

  test("no login, before anything else", async () => {
    const answer = await bid(new Caller(w.app), randomUUID(), 0);
    expect(answer).toMatchObject({
      code: "unauthenticated",
      message: "You must be logged in to place a bid.",
    });
  });

  test("a missing product is refused first, then an own one, then an ended one, then a wrong amount", async () => {
    const past = { endDate: new Date(Date.now() - 1000) };
    const missing = await bid(bidder(), randomUUID(), 0);
    expect(missing.code).toBe("not-found");
    const removed = await product(w, seller, { state: "removed", removedBy: "seller" });
    expect((await bid(bidder(), removed, 200)).code).toBe("not-found");
    const own = await product(w, seller, past);
    expect(await bid(seller.caller, own, 0)).toMatchObject({
      code: "permission-denied",
      message: "You can't bid on your own product.",
    });
    expect(await bid(bidder(), own, 0)).toMatchObject({
      code: "failed-precondition",
      message: "This auction has ended.",
    });
    expect(await bidsOf(own)).toEqual([]);
  });

  test("a settled product, with the time of the decision in the answer", async () => {
    const before = Date.now();
    const id = await product(w, seller, closed);
    const { code, body } = await bid(bidder(), id, 200);
    expect(code).toBe("failed-precondition");
    expect(body).toMatchObject({ data: { at: expect.any(String) } });
    expect(new Date(Object(body).data.at).getTime()).toBeGreaterThanOrEqual(before - 1000);
  });

  test("an account that was just lost, on a node that hasn't received the event yet", async () => {
    const id = await product(w, seller);
    const lost = await person(w, "student", "active");
    await w.services.database.pool.query(`update "user" set status = 'disabled' where id = $1`, [lost.id]);
    const attempt = {
      productId: id,
      bidderId: lost.id,
      form: "exact" as const,
      amount: { kind: "amount" as const, cents: 20_000 },
      key: randomUUID(),
    };
    expect(await w.services.bids.place(attempt)).toEqual({ kind: "notAllowed" });
    expect(await bidsOf(id)).toEqual([]);
  });
});

describe("a retry", () => {
  test("with the same key and amount is the same bid, even after the end and from another node", async () => {
    const id = await product(w, seller);
    const key = randomUUID();
    const first = await bid(bidder(), id, 150, key);
    await bid(bidder(1), id, 500);
    await endAt(w, id, new Date(Date.now() - 1000));
    // Number, amount and time are those of the bid; leader and head are as of the answer.
    const receipt = {
      ...Object(first.body).receipt,
      head: expect.anything(),
      signature: expect.any(String),
    };
    const again = { ...Object(first.body), receipt, leading: false, least: 50_100 };
    expect((await bid(bidder(), id, 150, key.toUpperCase())).body).toEqual(again);
    expect((await bid(elsewhere(0), id, 150, key)).body).toEqual(again);
    expect(await bidsOf(id)).toHaveLength(2);
  });

  test("with another amount, or for another product, is refused", async () => {
    const [id, other] = [await product(w, seller), await product(w, seller)];
    const key = randomUUID();
    await bid(bidder(), id, 150, key);
    for (const answer of [await bid(bidder(), id, 151, key), await bid(bidder(), other, 150, key)])
      expect(answer.code).toBe("already-exists");
    expect(await bidsOf(other)).toEqual([]);
    expect((await bid(bidder(1), id, 151, key)).status).toBe(200);
  });

  test("sent twenty times concurrently to two nodes bids once", async () => {
    const id = await product(w, seller);
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => bid(at % 2 ? elsewhere(0) : bidder(), id, 200, key)),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await bidsOf(id)).toHaveLength(1);
  });

  test("with the same key for many products, concurrently on two nodes, is accepted for one product only", async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => product(w, seller)));
    const key = randomUUID();
    const answers = await Promise.all(
      ids.map((id, at) => bid(at % 2 ? elsewhere(0) : bidder(), id, 200, key)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === "already-exists")).toHaveLength(11);
  });
});

describe("concurrently", () => {
  test("a product locked by another transaction doesn't hold up others, and gets its bids afterwards", async () => {
    const [held, free] = [await product(w, seller), await product(w, seller)];
    const client = await w.services.database.pool.connect();
    await client.query("begin");
    await client.query("select 1 from auction_bidding where product_id = $1 for update", [held]);
    const waiting = Promise.all([150, 151, 152].map((amount, at) => bid(bidder(at), held, amount)));
    expect((await bid(bidder(), free, 150)).status).toBe(200);
    expect((await bid(bidder(1), free, 151)).status).toBe(200);
    expect(await bidsOf(held)).toEqual([]);
    await client.query("commit");
    client.release();
    const answers = await waiting;
    // The bids may be decided in any order: the highest one is accepted, a lower one only if it came first.
    expect(answers[2]?.status).toBe(200);
    for (const { status, code } of answers) expect(status === 200 || code === "out-of-range").toBe(true);
    expect(await bidsOf(held)).toHaveLength(answers.filter(({ status }) => status === 200).length);
    expect((await bid(bidder(), held, 160)).status).toBe(200);
  });

  test("exactly one of 50 equal bids on two nodes is accepted", async () => {
    const id = await product(w, seller);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => bid(at % 2 ? elsewhere(at % 4) : bidder(at % 4), id, 150)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 200);
    for (const { message } of others) expect(message).toBe("Your bid must be at least R151.00.");
    expect(await bidsOf(id)).toHaveLength(1);
  });

  test("amounts strictly increase, and every answer agrees with the stored bids", async () => {
    const id = await product(w, seller);
    const amounts = Array.from({ length: 120 }, (_, at) => 150 + ((at * 37) % 60));
    const answers = await Promise.all(
      amounts.map((amount, at) => bid(at % 2 ? elsewhere(at % 4) : bidder(at % 4), id, amount)),
    );
    const bids = await bidsOf(id);
    expect(bids.map(({ number }) => number)).toEqual(bids.map((_, at) => at + 1));
    for (const [at, { amount }] of bids.entries())
      expect(amount).toBeGreaterThanOrEqual(at === 0 ? 15_000 : (bids[at - 1]?.amount ?? 0) + 100);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(bids.length);
    const [bidding] = await w.services.database.db
      .select()
      .from(auctionBidding)
      .where(eq(auctionBidding.productId, id));
    expect(bidding).toMatchObject({
      price: bids.at(-1)?.amount,
      highestBidderId: bids.at(-1)?.bidderId,
      bidCount: bids.length,
      version: 1 + bids.length,
    });
    const rows = await w.services.database.db
      .select()
      .from(auctionBidder)
      .where(eq(auctionBidder.productId, id));
    for (const row of rows)
      expect(row).toMatchObject(bids.findLast(({ bidderId }) => bidderId === row.bidderId) ?? {});
  });
});

test("a leader can raise their own bid 60 times a minute, without affecting others or other products", async () => {
  const [eager, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const [id, second] = [await product(w, seller), await product(w, seller)];
  // The first bid is not a raise.
  for (let at = 0; at <= 60; at++) expect((await bid(eager.caller, id, 200 + at)).status).toBe(200);
  const refused = await bid(eager.caller, id, 300);
  expect(refused.code).toBe("resource-exhausted");
  expect(refused.message).toBe(
    "You've raised your own bid many times in a row. Please wait a moment and try again.",
  );
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await bid(other.caller, id, 300)).status).toBe(200);
  expect((await bid(eager.caller, second, 300)).status).toBe(200);
});
