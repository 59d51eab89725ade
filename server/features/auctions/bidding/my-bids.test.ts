import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MyBid } from "#contract/auctions.ts";
import { bid, endAt, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { openStream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionBidding, auctionPicture, auctionProduct } from "../tables.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "agent", "approved");
});
afterAll(() => w.stop());

const student = () => person(w, "student", "active");

async function myBids(who: Person) {
  const answer = await who.caller.call("auctions.myBids", {});
  expect(answer.status).toBe(200);
  return answer.body as { bids: MyBid[]; next: string | null };
}
const only = async (who: Person): Promise<MyBid | undefined> => {
  const { bids } = await myBids(who);
  expect(bids).toHaveLength(1);
  return bids[0];
};

/** Creates a product on which first `first` and then `second` bid. */
async function contested(first: Person, second: Person): Promise<string> {
  const id = await product(w, seller);
  expect((await bid(first.caller, id, 200)).status).toBe(200);
  expect((await bid(second.caller, id, 250.5)).status).toBe(200);
  return id;
}

/** Closes a product like a settlement, a removal or a withdrawal. */
async function close(id: string, changes: Partial<typeof auctionProduct.$inferInsert>): Promise<void> {
  const { db } = w.services.database;
  const closed = { closedAt: new Date(), ...changes };
  await db.update(auctionProduct).set(closed).where(eq(auctionProduct.id, id));
  await db.update(auctionBidding).set({ open: false }).where(eq(auctionBidding.productId, id));
}

test("an open auction is shown as winning to one bidder and outbid to the other, each with their own highest bid", async () => {
  const [ada, bea] = [await student(), await student()];
  const id = await contested(ada, bea);
  expect(await only(ada)).toMatchObject({
    productId: id,
    productName: "Walnut writing desk",
    picture: null,
    position: "outbid",
    removedBy: null,
    reason: "",
    amount: 20_000,
    price: 25_050,
  });
  expect(await only(bea)).toMatchObject({ position: "winning", amount: 25_050, price: 25_050 });
  await bid(ada.caller, id, 300);
  expect(await only(ada)).toMatchObject({ position: "winning", amount: 30_000 });
  expect(await only(bea)).toMatchObject({ position: "outbid", amount: 25_050, price: 30_000 });
});

test("an auction past its end keeps its positions until it is settled", async () => {
  const [ada, bea] = [await student(), await student()];
  const id = await contested(ada, bea);
  await w.services.database.transaction(async (tx) => {
    // Nothing settles the auction while this lock is held, which lets its end be moved.
    await tx.select().from(auctionBidding).where(eq(auctionBidding.productId, id)).for("key share");
    await endAt(w, id, new Date(0));
    expect((await only(bea))?.position).toBe("winning");
    expect((await only(ada))?.position).toBe("outbid");
  });
});

test("a sold auction is won by its buyer, even when another bidder bid more", async () => {
  const [ada, bea] = [await student(), await student()];
  const id = await contested(ada, bea);
  await close(id, { state: "sold", winnerId: ada.id, winningBid: 20_000 });
  expect(await only(ada)).toMatchObject({ position: "won", price: 20_000 });
  expect(await only(bea)).toMatchObject({ position: "lost", amount: 25_050, price: 20_000, sold: true });
});

test("nobody wins an auction that ended unsold", async () => {
  const [ada, bea] = [await student(), await student()];
  await close(await contested(ada, bea), { state: "unsold" });
  expect([(await only(ada))?.position, (await only(bea))?.position]).toEqual(["lost", "lost"]);
});

test.each([
  ["seller", null, ""],
  ["admin", "A copy of another listing.", "A copy of another listing."],
  ["withdrawn", null, ""],
] as const)(
  "an auction taken off sale by %s says so and keeps the bids",
  async (removedBy, removalReason, reason) => {
    const [ada, bea] = [await student(), await student()];
    await close(await contested(ada, bea), { state: "removed", removedBy, removalReason });
    for (const who of [ada, bea])
      expect(await only(who)).toMatchObject({ position: "removed", removedBy, reason });
  },
);

test("the first picture is shown", async () => {
  const ada = await student();
  const id = await contested(ada, await student());
  const picture = { ownerId: seller.id, productId: id, width: 1200, height: 900 };
  const [second, first] = [crypto.randomUUID(), crypto.randomUUID()];
  await w.services.database.db.insert(auctionPicture).values([
    { ...picture, id: second, position: 1 },
    { ...picture, id: first, position: 0 },
  ]);
  expect((await only(ada))?.picture).toEqual({ id: first, width: 1200, height: 900 });
});

test("a bidder's list never contains other people's bids", async () => {
  const [ada, bea, cleo] = [await student(), await student(), await student()];
  await contested(ada, bea);
  expect(await myBids(cleo)).toEqual({ bids: [], next: null });
  expect(await myBids(seller)).toEqual({ bids: [], next: null });
  expect(JSON.stringify(await myBids(ada))).not.toContain(bea.id);
});

test("a visitor is refused", async () => {
  const { caller } = await student();
  caller.cookies.clear();
  expect(await caller.call("auctions.myBids")).toMatchObject({ code: "unauthenticated" });
});

test("a bid is announced to the bidder's other tabs and devices", async () => {
  const ada = await student();
  const stream = await openStream(ada.caller, "notifications");
  await bid(ada.caller, await product(w, seller), 200);
  expect(await stream.next()).toBe("notifications");
  await stream.leave();
});
