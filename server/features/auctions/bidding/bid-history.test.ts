import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Bid } from "#contract/auctions.ts";
import { user } from "#server/features/account/tables.ts";
import { bid, product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionBid, auctionProduct } from "../tables.ts";

let w: Wayfare;
let [seller, ada]: Person[] = [];
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
  ada = await person(w, "student", "active");
});
afterAll(() => w.stop());

const readBids = (productId: string, below: number) =>
  new Caller(w.app).call("auctions.bids", { productId, below });

test("lists bids below a number, twenty at a time, with masked names", async () => {
  if (!seller || !ada) throw new Error("nobody is there");
  const id = await product(w, seller);
  for (let rand = 150; rand < 173; rand++) expect((await bid(ada.caller, id, rand)).status).toBe(200);
  const first = (await readBids(id, 23)).body as { bids: Bid[]; next: number | null };
  expect(first.bids.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => 22 - at));
  expect(first.bids[0]).toEqual({
    number: 22,
    bidder: "A***i",
    automatic: false,
    tag: w.services.products.tagOf(id, ada.id),
    amount: 17_100,
    at: expect.any(String),
    counts: true,
  });
  expect(first.next).toBe(3);
  const second = (await readBids(id, 3)).body as typeof first;
  expect([second.bids.map(({ number }) => number), second.next]).toEqual([[2, 1], null]);
  expect((await readBids(id, 1)).body).toEqual({ bids: [], next: null });
  expect((await readBids(id, 2 ** 31)).code).toBe("invalid-argument");
});

test("shows a bidder whose account is gone as a former member", async () => {
  if (!seller) throw new Error("nobody is there");
  const id = await product(w, seller);
  const gone = await person(w, "student", "active");
  await bid(gone.caller, id, 150);
  await w.services.database.db.delete(user).where(eq(user.id, gone.id));
  expect((await readBids(id, 9)).body).toMatchObject({ bids: [{ bidder: "Former member", amount: 15_000 }] });
});

test("finds no bids of a product that was removed or never existed", async () => {
  if (!seller || !ada) throw new Error("nobody is there");
  const id = await product(w, seller);
  await bid(ada.caller, id, 150);
  await w.services.database.db
    .update(auctionProduct)
    .set({ state: "removed" })
    .where(eq(auctionProduct.id, id));
  expect(await w.services.database.db.$count(auctionBid, eq(auctionBid.productId, id))).toBe(1);
  expect((await readBids(id, 9)).code).toBe("not-found");
  expect((await readBids("00000000-0000-4000-8000-000000000000", 9)).code).toBe("not-found");
});
