import { createHash, createPublicKey, verify } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { commitmentText, headText, movedLimitText, type Receipt } from "#domain/bid-history.ts";
import { bid, bidUpTo, product, remove } from "#tests/support/auctions.ts";
import type { Answer } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionBidding, auctionLimit, auctionProduct } from "../tables.ts";

let w: Wayfare;
let seller: Person;
let ada: Person;
let bea: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "agent", "pending");
  ada = await person(w, "student", "active");
  bea = await person(w, "student", "active");
});
afterAll(() => w.stop());

const receiptIn = ({ body }: Answer) => (body as { receipt: Receipt | null }).receipt;

async function historyOf(id: string): Promise<Record<string, unknown>[]> {
  const response = await w.app.request(`/auctions/products/${id}/history`);
  expect(response.status).toBe(200);
  const lines = (await response.text()).trimEnd().split("\n");
  return lines.map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
}

async function isSigned(
  { productId, head, keyId, signature: headSignature }: Receipt,
  text = headText(productId, head),
  signature = headSignature,
): Promise<boolean> {
  const form = z.object({ receipts: z.array(z.object({ id: z.string(), publicKey: z.string() })) });
  const { receipts } = form.parse(await (await w.app.request("/auctions/keys")).json());
  const key = receipts.find(({ id }) => id === keyId)?.publicKey ?? "";
  const x = Buffer.from(key, "base64").toString("base64url");
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64"));
}

test("an accepted bid gets a signed receipt for its row in the history", async () => {
  const id = await product(w, seller, { startingBid: 15_000 });
  const limit = receiptIn(await bidUpTo(ada.caller, id, 500));
  const beaten = receiptIn(await bid(bea.caller, id, 200));
  const history = await historyOf(id);
  if (!limit || !beaten) throw new Error("there is no receipt");
  expect([limit.number, beaten.number, beaten.head.number]).toEqual([1, 2, 3]);
  for (const { number, hash } of [limit, beaten, beaten.head])
    expect(history[number]).toMatchObject({ number, hash });
  expect([await isSigned(limit), await isSigned(beaten)]).toEqual([true, true]);
  expect(await isSigned({ ...beaten, head: limit.head })).toBe(false);
});

test("a limit's salt is in its receipt and its stored row, but not in the history", async () => {
  const id = await product(w, seller, { startingBid: 15_000 });
  const limit = receiptIn(await bidUpTo(ada.caller, id, 500));
  const raised = receiptIn(await bidUpTo(ada.caller, id, 600));
  const exact = receiptIn(await bid(bea.caller, id, 200));
  const rows = await w.services.database.db
    .select({ salt: auctionLimit.salt, amount: auctionLimit.amount })
    .from(auctionLimit)
    .where(eq(auctionLimit.productId, id))
    .orderBy(auctionLimit.amount);
  expect(rows.map(({ salt }) => salt?.toString("hex") ?? null)).toEqual([limit?.salt, raised?.salt]);
  expect([limit?.moved, exact?.salt]).toEqual([null, null]);
  const text = JSON.stringify(await historyOf(id));
  for (const secret of [limit?.salt, raised?.salt, ada.id, bea.id, "50000", "60000"])
    expect(text).not.toContain(secret);
});

test("a moved limit is committed to only in its receipt, with Wayfare's signature", async () => {
  const id = await product(w, seller, { startingBid: 15_000 });
  await bidUpTo(ada.caller, id, 500);
  const before = await historyOf(id);
  const key = crypto.randomUUID();
  const raised = receiptIn(await bidUpTo(ada.caller, id, 600, key));
  const stopped = receiptIn(await bidUpTo(ada.caller, id, 150));
  const again = receiptIn(await bidUpTo(ada.caller, id, 600, key));
  const byKey = receiptIn(await ada.caller.call("auctions.bidByKey", { idempotencyKey: key }));
  if (!raised || !stopped) throw new Error("there is no receipt");
  for (const [receipt, limit] of [
    [raised, 60_000],
    [stopped, 15_000],
  ] as const) {
    // A move adds no public row; the receipt names the latest one.
    expect(receipt.number).toBe(1);
    const { salt } = receipt;
    if (!receipt.moved || salt === null) throw new Error("nothing is committed to");
    const moved = { ...receipt.moved, at: new Date(receipt.moved.at) };
    expect(moved.commitment).toBe(createHash("sha256").update(commitmentText(salt, limit)).digest("hex"));
    expect(moved.tag).toBe(before[1]?.["tag"]);
    expect(await isSigned(receipt, movedLimitText(receipt, moved), moved.signature)).toBe(true);
    const forged = movedLimitText(receipt, { ...moved, at: new Date(0) });
    expect(await isSigned(receipt, forged, moved.signature)).toBe(false);
  }
  expect([again, byKey]).toEqual([raised, raised]);
  // Others can't see it: neither the history nor the item's state has changed.
  const after = await historyOf(id);
  expect(after).toEqual(before);
  const others = JSON.stringify([
    after,
    (await bea.caller.call("auctions.product", { productId: id })).body,
    (await bea.caller.call("auctions.bids", { productId: id })).body,
  ]);
  for (const { moved, salt } of [raised, stopped])
    for (const secret of [moved?.commitment, moved?.signature, salt])
      expect(others).not.toContain(secret ?? "missing");
});

test("a retry gets a receipt for the same row, with the latest head", async () => {
  const id = await product(w, seller, { startingBid: 15_000 });
  for (const place of [bid, bidUpTo] as const) {
    const key = crypto.randomUUID();
    const rand = place === bid ? 160 : 400;
    const first = receiptIn(await place(ada.caller, id, rand, key));
    await bid(bea.caller, id, rand + 100);
    const again = receiptIn(await place(ada.caller, id, rand, key));
    if (!first || !again) throw new Error("there is no receipt");
    expect({ ...again, head: null, signature: "" }).toEqual({ ...first, head: null, signature: "" });
    const history = await historyOf(id);
    expect(again.head).toEqual({ number: history.length - 1, hash: history.at(-1)?.["hash"] });
    expect(await isSigned(again)).toBe(true);
  }
});

test("bids that are decided together share a head", async () => {
  const id = await product(w, seller, { startingBid: 15_000 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => bid(at % 2 === 0 ? ada.caller : bea.caller, id, 150 + at * 10)),
  );
  const receipts = answers.map(receiptIn).filter((receipt) => receipt !== null && receipt !== undefined);
  const history = await historyOf(id);
  expect(receipts.length).toBeGreaterThan(0);
  for (const receipt of receipts) {
    expect(history[receipt.number]).toMatchObject({ hash: receipt.hash });
    expect(history[receipt.head.number]).toMatchObject({ hash: receipt.head.hash });
    expect(receipt.head.number).toBeGreaterThanOrEqual(receipt.number);
    expect(await isSigned(receipt)).toBe(true);
  }
});

test("any site may read a history of several pages, which begins with its terms", async () => {
  const id = await product(w, seller, { startingBid: 15_000, softClose: true });
  await w.asOwner(`insert into auction_bid (product_id, number, bidder_id, amount, kind, created_at, tag)
    select '${id}', number, 'somebody', 15000 + number * 100, 'bid', now(), 'tag' from generate_series(1, 2500) number`);
  await w.services.database.db
    .update(auctionBidding)
    .set({ bidCount: 2_500, highestBidderId: "somebody", price: 265_000 })
    .where(eq(auctionBidding.productId, id));
  const response = await w.app.request(`/auctions/products/${id}/history`);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  const [terms, ...rows] = await historyOf(id);
  expect(terms).toMatchObject({
    productId: id,
    chained: true,
    sellerTag: "seller",
    startingBid: 15_000,
    softClose: true,
  });
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 2_500 }, (_, at) => at + 1));
  expect(rows[0]).toMatchObject({ hash: null, commitment: null });
  await response.body?.cancel();
});

test("items without a chained history say so, and their bids have no receipts", async () => {
  const id = await product(w, seller, { startingBid: 15_000, sellerTag: null, rules: 1 });
  await w.services.database.db
    .update(auctionBidding)
    .set({ head: null })
    .where(eq(auctionBidding.productId, id));
  expect(receiptIn(await bid(ada.caller, id, 150))).toBe(null);
  const [terms, row] = await historyOf(id);
  expect(terms).toMatchObject({ chained: false });
  expect(terms).not.toHaveProperty("firstHash");
  expect(row).toMatchObject({ number: 1, tag: w.services.products.tagOf(id, ada.id), hash: null });
});

test("an address can read four histories concurrently, and a finished one makes room", async () => {
  const id = await product(w, seller);
  const ask = () => w.app.request(`/auctions/products/${id}/history`);
  const open = [await ask(), await ask(), await ask(), await ask()];
  expect((await ask()).status).toBe(429);
  await Promise.all(open.map((response) => response.text()));
  expect((await ask()).status).toBe(200);
});

test("the history of an item that was removed or never existed is not found", async () => {
  const id = await product(w, seller);
  await remove(seller, id);
  expect(await w.services.database.db.$count(auctionProduct, eq(auctionProduct.id, id))).toBe(1);
  for (const missingId of [id, crypto.randomUUID(), "x"])
    expect((await w.app.request(`/auctions/products/${missingId}/history`)).status).toBe(404);
});
