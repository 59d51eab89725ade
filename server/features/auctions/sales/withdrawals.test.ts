import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowText } from "#domain/bid-history.ts";
import { notification } from "#server/features/notifications/tables.ts";
import {
  bid,
  bidUpTo,
  endAt,
  notificationsExceptOutbid,
  remove,
  storedProduct,
} from "#tests/support/auctions.ts";
import { ownerOf, problemsOf } from "#tests/support/backups.ts";
import { openBidFixture } from "#tests/support/bid-fixture.ts";
import type { Person } from "#tests/support/factories.ts";
import { bar } from "#tests/support/sales.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { notifyOutbid } from "../bidding/outbid.ts";
import { nextHash } from "../history/chain.ts";
import { settle } from "../settlement/settle.ts";
import { bidWithdrawal } from "./tables.ts";

const hour = 3_600_000;
let fixture: Awaited<ReturnType<typeof openBidFixture>>;
let [w, second]: [Wayfare, Wayfare] = [] as never;
let [seller, ada, bea, cleo, admin]: [Person, Person, Person, Person, Person] = [] as never;
beforeAll(async () => {
  fixture = await openBidFixture();
  ({ w, second, admin } = fixture);
});
afterAll(() => fixture.stop());

const onSale = async (changes: Parameters<typeof fixture.onSale>[0] = {}): Promise<string> => {
  const item = await fixture.onSale(changes);
  ({ seller, ada, bea, cleo } = item);
  return item.id;
};
const slip = (who: Person, productId: string, instead: number | null) =>
  who.caller.call("sales.withdrawBids", { productId, instead: instead === null ? null : instead * 100 });
const byLaw = (who: Person, productId: string) => fixture.byLaw(who, productId);
const history = (productId: string) => fixture.history(productId);
const publicState = (node: Wayfare, productId: string) => fixture.publicState(node, productId);

test("withdrawing a slip restores price and leader, and bids the intended amount", async () => {
  const id = await onSale();
  await bidUpTo(bea.caller, id, 500);
  await bid(cleo.caller, id, 200);
  await publicState(second, id);
  await bid(ada.caller, id, 6_100);
  expect((await slip(ada, id, null)).message).toBe("Please enter what you meant to bid.");
  expect((await slip(ada, id, 610)).status).toBe(200);
  const rows = await history(id);
  expect(rows.map(({ kind, amount }) => [kind, amount])).toEqual([
    ["auto", 15_000],
    ["bid", 20_000],
    ["auto", 20_100],
    ["auto", 50_000],
    ["bid", 610_000],
    ["withdrawn", 20_100],
    ["auto", 50_000],
    ["bid", 61_000],
  ]);
  expect(await storedProduct(w, id)).toMatchObject({
    price: 61_000,
    highestBidderId: ada.id,
    leaderLimit: 61_000,
    bidCount: 8,
    writtenTo: 8,
  });
  // Three of the eight rows are crossed out or say that bids were withdrawn.
  expect(await publicState(w, id)).toMatchObject({ bidCount: 5 });
  await expect.poll(async () => (await publicState(second, id)).price).toBe(61_000);
  const state = await publicState(second, id);
  expect(state.bids.map(({ row, void: why, counts }) => row ?? why ?? counts)).toEqual([
    true,
    true,
    "withdrawn",
    "withdrawn",
    "superseded",
    true,
    true,
    true,
  ]);
  const [withdrawal] = await w.services.database.db
    .select()
    .from(bidWithdrawal)
    .where(eq(bidWithdrawal.productId, id));
  expect(withdrawal).toMatchObject({ form: "slip", intendedAmount: 61_000, by: ada.id, movedEnd: false });
});

test("withdrawing the only bid restores the starting bid, and the seller may take the product off sale", async () => {
  const id = await onSale({ endDate: new Date(Date.now() + 2 * hour) });
  await bid(ada.caller, id, 900);
  expect((await byLaw(ada, id)).status).toBe(200);
  const state = { price: 15_000, leastBid: 15_000, leader: null, bidCount: 0 };
  await expect.poll(() => publicState(w, id)).toMatchObject(state);
  expect((await ada.caller.call("auctions.relation", { productId: id })).body).toMatchObject({
    ownBid: null,
    withdrawn: true,
  });
  expect((await ada.caller.call("auctions.myBids")).body).toMatchObject({
    bids: [{ position: "withdrawn" }],
  });
  expect((await remove(seller, id)).status).toBe(200);
  expect((await notificationsExceptOutbid(w, ada)).map(({ kind }) => kind)).toEqual([]);
});

test("the number of bids counts only valid bids, the same everywhere", async () => {
  const title = `Teak chest ${randomUUID().slice(0, 8)}`;
  const id = await onSale({ productName: title });
  await bid(bea.caller, id, 200);
  await bid(ada.caller, id, 300);
  expect((await byLaw(ada, id)).status).toBe(200);
  const numbers = async () => {
    const { products } = (await bea.caller.call("auctions.list", { search: title })).body as {
      products: { id: string; bidCount: number }[];
    };
    const own = (await seller.caller.api.auctions.own({})).products.find((each) => each.id === id);
    const { cards } = await bea.caller.api.auctions.cards({ productIds: [id] });
    return [
      products.find((each) => each.id === id)?.bidCount,
      own?.bidCount,
      cards[0]?.bidCount,
      (await publicState(w, id)).bidCount,
    ];
  };
  await expect.poll(numbers, { timeout: 20_000 }).toEqual([1, 1, 1, 1]);
  await bid(cleo.caller, id, 400);
  await expect.poll(numbers, { timeout: 20_000 }).toEqual([2, 2, 2, 2]);
  for (const who of [bea, cleo]) expect((await byLaw(who, id)).status).toBe(200);
  await expect.poll(numbers, { timeout: 20_000 }).toEqual([0, 0, 0, 0]);
  const pricesOf = async (bids: string) =>
    ((await bea.caller.call("auctions.list", { search: title, bids })).body as { products: { id: string }[] })
      .products;
  expect(await pricesOf("none")).toMatchObject([{ id }]);
  expect(await pricesOf("some")).toEqual([]);
  // The item has had its first bid, so its terms can't be edited.
  const own = (await seller.caller.api.auctions.own({})).products.find((each) => each.id === id);
  expect(own?.hadBids).toBe(true);
  expect(await seller.caller.call("auctions.edit", { productId: id, startingBid: 1_000 })).toMatchObject({
    code: "failed-precondition",
  });
});

test("a withdrawn bidder can bid again, and only bids since then count", async () => {
  const id = await onSale();
  await bid(bea.caller, id, 200);
  await bid(ada.caller, id, 300);
  await byLaw(ada, id);
  expect((await byLaw(ada, id)).message).toBe("You have no bid on this item.");
  expect((await bid(ada.caller, id, 250)).body).toMatchObject({ leading: true });
  await byLaw(bea, id);
  expect(await storedProduct(w, id)).toMatchObject({ price: 25_000, highestBidderId: ada.id });
});

test("a bidder who withdrew wins nothing at the close, even if the highest bidder is shut out", async () => {
  const id = await onSale();
  await bid(bea.caller, id, 200);
  await bid(cleo.caller, id, 300);
  await bid(ada.caller, id, 400);
  await byLaw(ada, id);
  await admin.caller.call("students.setDisabled", { userId: cleo.id, disabled: true });
  await endAt(w, id, new Date(Date.now() - 1));
  await settle(w.services, id);
  expect(await storedProduct(w, id)).toMatchObject({ state: "sold", winnerId: bea.id, winningBid: 20_000 });
  expect((await notificationsExceptOutbid(w, ada)).map(({ kind }) => kind)).toEqual([]);
});

test("a limit that leads again after a withdrawal wins at the valid price", async () => {
  const id = await onSale();
  await bidUpTo(bea.caller, id, 500);
  await bid(ada.caller, id, 600);
  await byLaw(ada, id);
  await endAt(w, id, new Date(Date.now() - 1));
  await settle(w.services, id);
  expect(await storedProduct(w, id)).toMatchObject({ winnerId: bea.id, winningBid: 15_000 });
});

describe("the end", () => {
  test("moves once to 12 hours from now when the leader withdraws in the last 12 hours", async () => {
    const id = await onSale({ endDate: new Date(Date.now() + hour), softClose: true });
    await bid(bea.caller, id, 200);
    await bid(ada.caller, id, 300);
    await byLaw(ada, id);
    const moved = await storedProduct(w, id);
    expect(moved.endsAt.getTime() - Date.now()).toBeGreaterThan(11.9 * hour);
    expect(moved.latestEnd?.getTime()).toBe(moved.endsAt.getTime() + hour);
    await expect.poll(async () => (await publicState(second, id)).endDate).toBe(moved.endsAt.getTime());
    await bid(cleo.caller, id, 300);
    await byLaw(cleo, id);
    expect((await storedProduct(w, id)).endsAt).toEqual(moved.endsAt);
  });

  test("stays when another bidder withdraws", async () => {
    const id = await onSale({ endDate: new Date(Date.now() + hour) });
    await bid(bea.caller, id, 200);
    await bid(ada.caller, id, 300);
    await byLaw(bea, id);
    const { endsAt, endDate } = await storedProduct(w, id);
    expect(endsAt).toEqual(endDate);
  });
});

test("other bidders and the seller are notified once, and the new leader isn't told of being outbid", async () => {
  const id = await onSale();
  await bid(cleo.caller, id, 150);
  await bid(bea.caller, id, 200);
  await bid(ada.caller, id, 300);
  await notifyOutbid(w.services, [id]);
  await byLaw(ada, id);
  await notifyOutbid(w.services, [id]);
  const kinds = async (who: Person) => {
    const rows = await w.services.database.db
      .select({ kind: notification.kind, about: notification.about })
      .from(notification)
      .where(eq(notification.userId, who.id));
    return rows.map(({ kind, about }) => [kind, Object(about).leads]);
  };
  expect(await kinds(bea)).toEqual([["bidsWithdrawn", "yes"]]);
  expect(await kinds(cleo)).toEqual([["bidsWithdrawn", undefined]]);
  expect(await kinds(seller)).toEqual([["bidsWithdrawn", undefined]]);
  expect(await kinds(ada)).toEqual([]);
});

test("three withdrawals within 6 months bar further ones", async () => {
  const id = await onSale();
  for (const rand of [200, 210, 220]) {
    await bid(ada.caller, id, rand);
    expect((await byLaw(ada, id)).status).toBe(200);
  }
  await bid(ada.caller, id, 230);
  expect((await byLaw(ada, id)).message).toContain("3 times within 6 months");
});

test("a barred bidder can still withdraw, and is bound by the intended amount", async () => {
  const id = await onSale();
  await bid(ada.caller, id, 900);
  await bar(w, ada);
  expect((await bid(ada.caller, id, 950)).code).toBe("permission-denied");
  expect((await slip(ada, id, 160)).status).toBe(200);
  expect(await storedProduct(w, id)).toMatchObject({ price: 16_000, highestBidderId: ada.id });
  expect((await byLaw(ada, id)).status).toBe(200);
  expect(await storedProduct(w, id)).toMatchObject({ price: 15_000, highestBidderId: null });
});

test("a bid that isn't a slip can't be withdrawn as one", async () => {
  const id = await onSale();
  await bid(bea.caller, id, 200);
  await bid(ada.caller, id, 300);
  expect((await slip(ada, id, 250)).message).toContain("Only a slip can be withdrawn");
  expect((await slip(cleo, id, 250)).message).toBe("You have no bid on this item.");
});

test("the chained history continues over a withdrawal and its replacement bid", async () => {
  const id = await onSale();
  await bid(bea.caller, id, 200);
  await bid(ada.caller, id, 6_100);
  await slip(ada, id, 610);
  await bid(cleo.caller, id, 700);
  const rows = await history(id);
  for (const [place, row] of rows.entries()) {
    const before = rows[place - 1];
    if (!before?.hash) continue;
    const { number, createdAt, tag, amount, kind } = row;
    const hashed = { number, at: createdAt, tag: tag ?? "", amount, kind, commitment: null };
    expect(row.hash, rowText(before.hash.toString("hex"), hashed)).toEqual(nextHash(before.hash, hashed));
  }
  expect(rows.map(({ kind }) => kind)).toEqual(["bid", "bid", "withdrawn", "bid", "bid"]);
});

test("a backup check finds no problems with withdrawals, voided bids and second chances", async () => {
  expect(await problemsOf(ownerOf(w), w.services.storage)).toEqual([]);
});
