import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OwnProduct } from "#contract/auctions.ts";
import { ownAuctionsPerPage } from "#protocol/page-sizes.ts";
import { bid, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { createProduct, productForm, readyPicture } from "#tests/support/pictures.ts";
import { fellThrough, passTime, soldItem } from "#tests/support/sales.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { recordSales } from "../sales/open-sale.ts";
import { auctionPicture } from "../tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const own = async ({ caller }: Person, cursor?: string) =>
  (await caller.call("auctions.own", { ...(cursor && { cursor }) })).body as {
    products: OwnProduct[];
    next: string | null;
  };
const past = () => new Date(Date.now() - 60_000);

test("a seller's products are listed newest first with their states, without removed ones and those of others", async () => {
  const [seller, ada] = [await person(w, "agent", "pending"), await person(w, "student", "active")];
  await product(w, ada);
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const open = await product(w, seller, { createdAt: at(4) });
  await bid(ada.caller, open, 250);
  const sold = await product(w, seller, {
    createdAt: at(3),
    state: "sold",
    closedAt: past(),
    winningBid: 20_000,
    endDate: past(),
  });
  const unsold = await product(w, seller, { createdAt: at(2), state: "unsold", endDate: past() });
  await product(w, seller, { createdAt: at(1), state: "removed" });
  const [first, second] = [await readyPicture(seller), await readyPicture(seller)];
  await createProduct(seller, productForm({ images: [second, first], productName: "Phone" }));

  const { products, next } = await own(seller);
  expect(next).toBeNull();
  expect(products.map(({ id }) => id).slice(1)).toEqual([unsold, sold, open]);
  expect(products.map(({ state, price, bidCount }) => [state, price, bidCount])).toEqual([
    ["open", 150_050, 0],
    ["unsold", 15_000, 0],
    ["sold", 20_000, 0],
    ["open", 25_000, 1],
  ]);
  expect(products[0]).toMatchObject({ productName: "Phone", picture: { id: second, width: 64, height: 48 } });
  expect(products[3]?.picture).toBeNull();
});

test("a product whose end has passed and that is not settled yet is shown as ended", async () => {
  const seller = await person(w, "student", "active");
  const client = await w.services.database.pool.connect();
  const id = await product(w, seller, { endDate: past(), state: "unsold" });
  // The lock keeps the close from settling the product meanwhile.
  await client.query("begin");
  await client.query("select 1 from auction_bidding where product_id = $1 for update", [id]);
  await w.services.database.pool.query("update auction_product set state = 'open' where id = $1", [id]);
  expect((await own(seller)).products).toMatchObject([{ id, state: "ended" }]);
  await client.query("rollback");
  client.release();
});

test("pages neither repeat nor miss products, even those uploaded in the same millisecond", async () => {
  const seller = await person(w, "student", "active");
  const createdAt = new Date();
  const ids = await Promise.all(
    Array.from({ length: 2 * ownAuctionsPerPage + 5 }, () => product(w, seller, { createdAt })),
  );
  const idsOnPages: string[] = [];
  let next: string | undefined;
  do {
    const page = await own(seller, next);
    expect(page.products.length).toBeLessThanOrEqual(ownAuctionsPerPage);
    idsOnPages.push(...page.products.map(({ id }) => id));
    next = page.next ?? undefined;
  } while (next !== undefined);
  expect(idsOnPages).toHaveLength(ids.length);
  expect(idsOnPages.toSorted()).toEqual(ids.toSorted());
  for (const cursor of ["", "x", btoa('["2026-01-01T00:00:00.000Z","x"]')])
    expect((await seller.caller.call("auctions.own", { cursor })).code).toBe("invalid-argument");
});

describe("a sold product", () => {
  const soldTo = async (seller: Person, amount = 61_100) => {
    const buyer = await person(w, "student", "active");
    return { buyer, ...(await soldItem(w, { seller, buyer, amount })) };
  };
  const saleView = async (seller: Person, productId: string) =>
    (await own(seller)).products.find(({ id }) => id === productId)?.sale;

  test("shows the progress of its handover, as both sides report it", async () => {
    const seller = await person(w, "student", "active");
    const { buyer, productId, saleId } = await soldTo(seller);
    expect(await saleView(seller, productId)).toMatchObject({ state: "awaiting", report: null });
    await buyer.caller.call("sales.handOver", { saleId });
    const handover = await saleView(seller, productId);
    expect(handover).toMatchObject({ state: "awaiting", sellerSaidAt: null, fault: null });
    expect(handover?.buyerSaidAt).not.toBeNull();
    await seller.caller.call("sales.handOver", { saleId });
    expect(await saleView(seller, productId)).toMatchObject({ state: "handedOver", kind: "auction" });
  });

  test("shows what silence has decided before the server has processed it", async () => {
    const seller = await person(w, "student", "active");
    const { productId, saleId } = await soldTo(seller);
    await seller.caller.call("sales.report", { saleId, claim: "notPaid" });
    expect(await saleView(seller, productId)).toMatchObject({ report: { by: "seller", claim: "notPaid" } });
    await passTime(w, saleId);
    expect(await saleView(seller, productId)).toMatchObject({ state: "fellThrough", fault: "buyer" });
  });

  test("shows its latest sale, even after a second chance, and counts in the sums by that", async () => {
    const seller = await person(w, "student", "active");
    const [{ productId, saleId }, other] = [await soldTo(seller), await soldTo(seller, 10_000)];
    await fellThrough(w, saleId);
    await other.buyer.caller.call("sales.handOver", { saleId: other.saleId });
    await seller.caller.call("sales.handOver", { saleId: other.saleId });
    const figures = async () => (await seller.caller.api.auctions.ownFigures({})).sales;
    const none = { count: 0, sum: 0 };
    expect(await figures()).toEqual({
      awaiting: none,
      handedOver: { count: 1, sum: 10_000 },
      fellThrough: { count: 1, sum: 61_100 },
      disputed: none,
    });
    const lucky = await person(w, "student", "active");
    await w.services.database.transaction((tx) =>
      recordSales(tx, [
        {
          productId,
          sellerId: seller.id,
          buyerId: lucky.id,
          amount: 40_000,
          kind: "secondChance",
          madeAt: new Date(),
        },
      ]),
    );
    expect(await saleView(seller, productId)).toMatchObject({ state: "awaiting", kind: "secondChance" });
    expect(await figures()).toMatchObject({ awaiting: { count: 1, sum: 40_000 }, fellThrough: none });
  });
});

test("a picture of no product is not shown in the list", async () => {
  const seller = await person(w, "student", "active");
  const id = await product(w, seller);
  await w.services.database.db
    .insert(auctionPicture)
    .values({ id: crypto.randomUUID(), ownerId: seller.id, width: 1, height: 1 });
  expect((await own(seller)).products).toMatchObject([{ id, picture: null }]);
});
