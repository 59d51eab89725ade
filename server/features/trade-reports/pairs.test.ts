import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { bid, endAt, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { fellThrough, soldItem } from "#tests/support/sales.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { recordSales } from "../auctions/sales/open-sale.ts";
import { settleDue } from "../auctions/settlement/closer.ts";
import { auctionBidding, auctionProduct } from "../auctions/tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const newcomer = () => person(w, "student", "active");
/** Ends an auction now, and settles it. */
async function close(productId: string): Promise<void> {
  await endAt(w, productId, new Date(Date.now() - 1));
  await settleDue(w.services);
}

describe("a pair of bidder and seller", () => {
  type Pair = {
    seller: { id: string };
    bidder: { id: string };
    signs: string[];
    common: number;
    all: number;
  };
  const pairs = async () =>
    ((await boss.caller.call("tradeReports.pairs", {})).body as { pairs: Pair[] }).pairs;
  const pairWith = async (bidder: Person) => (await pairs()).find((each) => each.bidder.id === bidder.id);
  const setAddress = (who: Person, ipAddress: string) =>
    w.services.database.db.update(session).set({ ipAddress }).where(eq(session.userId, who.id));
  const setCreatedAt = (who: Person, day: string) =>
    w.services.database.db
      .update(user)
      .set({ createdAt: new Date(day) })
      .where(eq(user.id, who.id));

  /** Makes a bidder lose this number of a seller's auctions, by R5 each. */
  async function loseAuctions(
    bidder: Person,
    seller: Person,
    winner: Person,
    auctions: number,
  ): Promise<void> {
    for (let at = 0; at < auctions; at += 1) {
      const id = await product(w, seller);
      await bid(bidder.caller, id, 200);
      await bid(winner.caller, id, 205);
      await close(id);
    }
  }

  test("is listed with its signs, but not for a single one", async () => {
    const [dealer, shill, fan, buyer] = await Promise.all(Array.from({ length: 4 }, newcomer));
    if (!dealer || !shill || !fan || !buyer) throw new Error("somebody is missing");
    for (const [who, day] of [
      [dealer, "2026-01-01"],
      [shill, "2026-03-01"],
      [fan, "2026-05-01"],
      [buyer, "2026-07-01"],
    ] as const)
      await setCreatedAt(who, day);
    await loseAuctions(shill, dealer, buyer, 3);
    await setAddress(dealer, "2001:db8:1:2::/64");
    await setAddress(shill, "2001:db8:1:2::/64");
    await setCreatedAt(shill, "2026-01-01T20:00:00Z");
    expect(await pairWith(shill)).toMatchObject({
      seller: { id: dealer.id },
      common: 3,
      all: 3,
      won: 0,
      narrow: 3,
      signs: ["oneSeller", "neverWon", "sameNetwork", "madeTogether", "narrowlyBeaten"],
    });
    // The buyer follows the same seller, and wins: that is one sign.
    expect(await pairWith(buyer)).toBeUndefined();
    // Two auctions are too few, whatever they show.
    await loseAuctions(fan, dealer, buyer, 2);
    expect(await pairWith(fan)).toBeUndefined();
  });

  test("counts an auction as won, not as narrowly lost, if its item went to a second chance afterwards", async () => {
    const [dealer, vanished, runnerUp] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    await setCreatedAt(dealer, "2026-01-01");
    await setAddress(dealer, "2001:db8:7:1::/64");
    await setAddress(vanished, "2001:db8:7:1::/64");
    for (let at = 0; at < 3; at += 1) {
      const { productId, saleId } = await soldItem(w, {
        seller: dealer,
        buyer: vanished,
        amount: 20_500,
        others: [[runnerUp, 20_400]],
      });
      await fellThrough(w, saleId);
      const { db } = w.services.database;
      await w.services.database.transaction((tx) =>
        recordSales(tx, [
          {
            productId,
            sellerId: dealer.id,
            buyerId: runnerUp.id,
            amount: 20_400,
            kind: "secondChance",
            madeAt: new Date(),
          },
        ]),
      );
      await db
        .update(auctionProduct)
        .set({ winnerId: runnerUp.id, winningBid: 20_400 })
        .where(eq(auctionProduct.id, productId));
    }
    expect(await pairWith(vanished)).toMatchObject({
      common: 3,
      won: 3,
      narrow: 0,
      signs: ["oneSeller", "sameNetwork"],
    });
  });

  test("has no consequences: no account, item or bid changes", async () => {
    const { db } = w.services.database;
    const state = async () => ({
      people: await db.select({ id: user.id, status: user.status }).from(user).orderBy(user.id),
      products: await db.select({ id: auctionProduct.id, state: auctionProduct.state }).from(auctionProduct),
      bidding: await db.select().from(auctionBidding),
      notifications: await db.select({ id: notification.id }).from(notification),
    });
    const before = await state();
    expect((await pairs()).length).toBeGreaterThan(0);
    expect(await state()).toEqual(before);
  });
});
