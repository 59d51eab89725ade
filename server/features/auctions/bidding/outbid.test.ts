import { randomUUID } from "node:crypto";
import { and, eq, like } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { bid, closed, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionBidder, auctionBidding, auctionOutbid, auctionProduct } from "../tables.ts";
import { decideBatch } from "./decide-batch.ts";
import { notifyOutbid } from "./outbid.ts";

let w: Wayfare;
let second: Wayfare;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

const student = () => person(w, "student", "active");
const db = () => w.services.database.db;

/** Commits a bid without notifications, like a server that died after the commit. */
async function silentBid(who: Person, productId: string, rand: number): Promise<void> {
  const amount = { kind: "amount", cents: rand * 100 } as const;
  const attempt = { productId, bidderId: who.id, form: "exact", amount, key: randomUUID() } as const;
  const { decisions } = await decideBatch(w.services.database.pipelines, [attempt], "wait", {
    unverifiedLimit: 1_000_000,
    tagOf: w.services.products.tagOf,
    signReceipt: w.services.signReceipt,
  });
  expect(decisions[0]?.kind).toBe("accepted");
}

async function outbidNotifications(who: Person, productId: string) {
  return await db()
    .select({ id: notification.id, about: notification.about, path: notification.path })
    .from(notification)
    .where(and(eq(notification.userId, who.id), like(notification.eventKey, `outbid:${productId}:%`)))
    .orderBy(notification.id);
}
const notifiedPrices = async (who: Person, productId: string) =>
  (await outbidNotifications(who, productId)).map(({ about }) => about["price"]);
const notified = (who: Person, productId: string, price: string) =>
  until(async () => (await notifiedPrices(who, productId)).at(-1) === price);

/** Counts the outbid mails that a person got, once all mails have been sent. */
async function mailsTo(who: Person): Promise<number> {
  await until(async () => {
    const { rows } = await w.services.database.pool.query(
      "select 1 from jobs.job where name = 'mail' and state in ('created', 'retry', 'active')",
    );
    return rows.length === 0;
  });
  const isOurs = ({ to, subject }: { to?: string; subject?: string }) =>
    to === who.email && subject?.startsWith("You've been outbid on");
  return [...w.log, ...second.log].filter(isOurs).length;
}

/** Returns the number of the bid that a person was last notified of. */
const notifiedNumber = async (who: Person, productId: string): Promise<number | null> => {
  const [row] = await db()
    .select({ number: auctionOutbid.number })
    .from(auctionOutbid)
    .where(and(eq(auctionOutbid.productId, productId), eq(auctionOutbid.bidderId, who.id)));
  return row?.number ?? null;
};

test("an outbid bidder is notified immediately by the bell and by mail, and the leader is not", async () => {
  const [seller, ada, bea] = [await student(), await student(), await student()];
  const id = await product(w, seller);
  await bid(ada.caller, id, 150);
  await bid(bea.caller, id, 1250);
  await notified(ada, id, "R1,250.00");
  expect(await outbidNotifications(ada, id)).toEqual([
    {
      id: expect.any(Number),
      about: { product: "Walnut writing desk", price: "R1,250.00" },
      path: `/product/${id}`,
    },
  ]);
  expect(await mailsTo(ada)).toBe(1);
  expect(await outbidNotifications(bea, id)).toEqual([]);
});

test("raising one's own bid notifies nobody, and an outbid bidder isn't notified twice", async () => {
  const [seller, ada, bea] = [await student(), await student(), await student()];
  const id = await product(w, seller);
  await silentBid(ada, id, 150);
  await silentBid(ada, id, 160);
  await notifyOutbid(w.services, [id]);
  expect(await outbidNotifications(ada, id)).toEqual([]);
  await silentBid(bea, id, 170);
  await silentBid(bea, id, 180);
  await notifyOutbid(w.services, [id]);
  await silentBid(bea, id, 190);
  await notifyOutbid(w.services, [id]);
  expect(await outbidNotifications(ada, id)).toHaveLength(1);
  expect(await outbidNotifications(bea, id)).toEqual([]);
});

test("each bidder in a quick exchange has one entry with the latest price, and gets one mail an hour", async () => {
  const [seller, ada, bea] = [await student(), await student(), await student()];
  const id = await product(w, seller);
  for (const [at, who] of [ada, bea, ada, bea].entries()) {
    await silentBid(who, id, 150 + at);
    await notifyOutbid(w.services, [id]);
    await notifyOutbid(w.services, [id]);
    // The server's own sweep may have been faster.
    if (at > 0) await notified(who === ada ? bea : ada, id, `R${150 + at}.00`);
  }
  expect(await notifiedPrices(ada, id)).toEqual(["R153.00"]);
  expect(await notifiedPrices(bea, id)).toEqual(["R152.00"]);
  expect(await mailsTo(ada)).toBe(1);
  // Bea leads again, so that her email may have been dropped before it left.
  expect(await mailsTo(bea)).toBeLessThanOrEqual(1);

  const anHourAgo = new Date(Date.now() - 3_601_000);
  await db().update(auctionOutbid).set({ mailedAt: anHourAgo }).where(eq(auctionOutbid.bidderId, ada.id));
  await silentBid(ada, id, 200);
  await silentBid(bea, id, 210);
  await notifyOutbid(w.services, [id]);
  await notified(ada, id, "R210.00");
  expect(await notifiedPrices(ada, id)).toEqual(["R210.00"]);
  expect(await mailsTo(ada)).toBe(2);
});

test("two nodes that notify concurrently notify each person once", async () => {
  const [seller, leader] = [await student(), await student()];
  const outbid = await Promise.all(Array.from({ length: 8 }, student));
  const id = await product(w, seller);
  for (const [at, who] of outbid.entries()) await silentBid(who, id, 150 + at);
  await silentBid(leader, id, 500);
  await Promise.all(
    Array.from({ length: 10 }, (_, at) => notifyOutbid((at % 2 === 0 ? w : second).services, [id])),
  );
  for (const who of outbid) {
    await notified(who, id, "R500.00");
    expect(await mailsTo(who)).toBe(1);
  }
});

test("the loser of a contest through two nodes is notified in the end, and mailed once", async () => {
  const [seller, ada, bea] = [await student(), await student(), await student()];
  const id = await product(w, seller);
  let price = 150;
  const attack = async (who: Person, node: Wayfare) => {
    for (let times = 0; times < 15; times++) {
      await silentBid(who, id, (price += 10)).catch(() => {});
      node.services.outbid.after([id]);
    }
  };
  await Promise.all([attack(ada, w), attack(bea, second)]);
  const state = await w.services.database.pool.query<{ highest_bidder_id: string }>(
    "select highest_bidder_id from auction_bidding where product_id = $1",
    [id],
  );
  const loser = state.rows[0]?.highest_bidder_id === ada.id ? bea : ada;
  const [latest] = await db()
    .select({ number: auctionBidder.number })
    .from(auctionBidder)
    .where(and(eq(auctionBidder.productId, id), eq(auctionBidder.bidderId, loser.id)));
  await until(async () => (await notifiedNumber(loser, id)) === latest?.number);
  expect((await outbidNotifications(loser, id)).length).toBeGreaterThan(0);
  for (const who of [ada, bea]) expect(await mailsTo(who)).toBeLessThanOrEqual(1);
});

test("the sweep notifies outbid people whom a server had not notified when it died", async () => {
  const [seller, ada, bea] = [await student(), await student(), await student()];
  const id = await product(w, seller);
  await silentBid(ada, id, 150);
  await silentBid(bea, id, 160);
  await w.services.outbid.sweep(60);
  await notified(ada, id, "R160.00");
});

test("a bidder who lost their account is neither notified nor selected again", async () => {
  const [seller, ada, bea, cleo] = [await student(), await student(), await student(), await student()];
  const id = await product(w, seller);
  await silentBid(ada, id, 150);
  await silentBid(bea, id, 160);
  await db().update(user).set({ status: "disabled" }).where(eq(user.id, ada.id));
  await db().delete(user).where(eq(user.id, bea.id));
  await silentBid(cleo, id, 170);
  expect(await notifyOutbid(w.services, [id])).toBe(false);
  expect([await notifiedNumber(ada, id), await notifiedNumber(bea, id)]).toEqual([1, 2]);
  expect(await outbidNotifications(ada, id)).toEqual([]);
});

test("nobody is notified that they are outbid on an auction that has ended or is off sale", async () => {
  const [seller, ada, bea] = [await student(), await student(), await student()];
  const id = await product(w, seller);
  await w.services.database.transaction(async (tx) => {
    await tx.update(auctionProduct).set(closed).where(eq(auctionProduct.id, id));
    await tx
      .update(auctionBidding)
      .set({ open: false, bidCount: 2, highestBidderId: bea.id })
      .where(eq(auctionBidding.productId, id));
    const bids = [ada, bea].map(({ id: bidderId }, at) => ({
      productId: id,
      bidderId,
      since: new Date(),
      amount: 15_000 + at * 100,
      number: at + 1,
    }));
    await tx.insert(auctionBidder).values(bids);
  });
  await notifyOutbid(w.services, [id]);
  expect(await notifiedNumber(ada, id)).toBeNull();
});
