import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { auctionTexts } from "#domain/auction.ts";
import { editMessages } from "#domain/auction-edit.ts";
import { bidTexts } from "#domain/bid.ts";
import { bid, closed, product, storedProduct } from "#tests/support/auctions.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { createProduct, productForm, readyPicture } from "#tests/support/pictures.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let second: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  seller = await person(w, "student", "active");
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

const student = () => person(w, "student", "active");
const edit = (who: Person, productId: string, changes: object) =>
  who.caller.call("auctions.edit", { productId, ...changes });
const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);

describe("until the first bid", () => {
  test("every field can be changed, and omitted fields stay", async () => {
    const [first, other, added] = [
      await readyPicture(seller),
      await readyPicture(seller),
      await readyPicture(seller),
    ];
    const upload = await createProduct(seller, productForm({ images: [first, other] }));
    const id = textIn(upload.body, "id");
    const before = await w.services.products.read(id);
    const endDate = inDays(3);
    await seller.caller.api.auctions.edit({
      productId: id,
      productName: " Oak desk ",
      startingBid: 20_000,
      category: "home",
      subcategory: "Decor",
      grade: "Grade B",
      collectionPlace: "Cape Town",
      courier: 9_900,
      endDate,
      images: [added, first],
    });
    await until(async () => (await w.services.products.read(id))?.productName === "Oak desk");
    expect(await w.services.products.read(id)).toMatchObject({
      productName: "Oak desk",
      description: "Solid walnut, two drawers.",
      startingBid: 20_000,
      price: 20_000,
      leastBid: 20_000,
      subcategory: "Decor",
      grade: "Grade B",
      collectionPlace: "Cape Town",
      courier: 9_900,
      endDate: endDate.getTime(),
      terms: 2,
      version: (before?.version ?? 0) + 1,
      pictures: [{ id: added }, { id: first }],
    });
    const row = await storedProduct(w, id);
    expect(row).toMatchObject({ endsAt: endDate, endDate, subcategory: "Decor", grade: "Grade B" });
    const listing = await new Caller(w.app).api.auctions.list({
      search: "oak",
      subcategory: "Decor",
      category: "home",
    });
    expect(listing.products.map((each) => each.id)).toEqual([id]);
  });

  test("an edit is checked like a new listing", async () => {
    const id = await product(w, seller);
    expect(await edit(seller, id, { productName: " " })).toMatchObject({
      code: "form/incomplete",
      message: auctionTexts.incomplete,
    });
    expect(await edit(seller, id, { category: "fashion" })).toMatchObject({ code: "form/incomplete" });
    expect(await edit(seller, id, { startingBid: 99 })).toMatchObject({ code: "form/incomplete" });
    expect(await edit(seller, id, { images: [await readyPicture(await student())] })).toMatchObject({
      code: "not-found",
      message: auctionTexts.picturesGone,
    });
    expect(await storedProduct(w, id)).toMatchObject({ terms: 1, version: 1 });
  });

  test("an end that is near may stay, but a new one is checked", async () => {
    const images = [await readyPicture(seller)];
    const upload = await createProduct(seller, productForm({ images }));
    const id = textIn(upload.body, "id");
    const { pool } = w.services.database;
    await pool.query(
      "update auction_bidding set ends_at = now() + interval '5 minutes' where product_id = $1",
      [id],
    );
    expect((await edit(seller, id, { description: "Walnut." })).status).toBe(200);
    const endDate = new Date(Date.now() + 9 * 60_000);
    const near = seller.caller.api.auctions.edit({ productId: id, endDate });
    await expect(near).rejects.toMatchObject({ message: auctionTexts.endDate });
  });
});

test("an edit is refused with a message after the first bid, after the end and to others", async () => {
  const [ada, id] = [await student(), await product(w, seller)];
  expect(await edit(ada, id, { productName: "Mine" })).toMatchObject({ code: "not-found" });
  expect(await edit(ada, randomUUID(), { productName: "Mine" })).toMatchObject({ code: "not-found" });
  expect((await bid(ada.caller, id, 150)).status).toBe(200);
  expect(await edit(seller, id, { productName: "Pine desk" })).toMatchObject({
    code: "failed-precondition",
    message: editMessages.hasBids,
  });
  const over = await product(w, seller, closed);
  expect(await edit(seller, over, { productName: "Pine desk" })).toMatchObject({
    code: "failed-precondition",
    message: editMessages.ended,
  });
});

describe("an edit and the first bid concurrently:", () => {
  const withPicture = async () => {
    const images = [await readyPicture(seller)];
    const upload = await createProduct(seller, productForm({ images, startingBid: "150" }));
    return textIn(upload.body, "id");
  };
  const bidOn = (who: Caller, productId: string, amount: number, terms?: number) =>
    who.call("auctions.bid", { productId, amount, idempotencyKey: randomUUID(), terms });

  test("a bid on the former terms is refused, and one on the new terms is accepted", async () => {
    const [ada, id] = [await student(), await withPicture()];
    expect((await edit(seller, id, { description: "It has a scratch." })).status).toBe(200);
    expect(await bidOn(ada.caller, id, 15_000, 1)).toMatchObject({
      code: "failed-precondition",
      message: bidTexts.changed,
    });
    expect((await bidOn(ada.caller, id, 15_000, 2)).status).toBe(200);
  });

  test("a bid that waited for an edit is decided on the new starting bid", async () => {
    const [ada, id] = [await student(), await withPicture()];
    const client = await w.services.database.pool.connect();
    onTestFinished(() => client.release(true));
    await client.query("begin");
    await client.query(
      "update auction_bidding set price = 20000, terms = terms + 1, version = version + 1 where product_id = $1",
      [id],
    );
    await client.query("update auction_product set starting_bid = 20000 where id = $1", [id]);
    const [onFormer, unnamed] = [bidOn(ada.caller, id, 30_000, 1), bidOn(ada.caller, id, 15_000)];
    await until(async () => {
      const { rows } = await w.services.database.pool.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for update of b'",
      );
      return rows.length > 0;
    });
    await client.query("commit");
    expect(await onFormer).toMatchObject({ code: "failed-precondition", message: bidTexts.changed });
    expect(await unnamed).toMatchObject({ code: "out-of-range" });
    expect(await storedProduct(w, id)).toMatchObject({ bidCount: 0, price: 20_000 });
  });

  test("exactly one of the edit and the bid is refused on two nodes", async () => {
    const ada = await student();
    const elsewhere = new Caller(second.app);
    for (const [name, value] of ada.caller.cookies) elsewhere.cookies.set(name, value);
    for (const _ of Array(12).keys()) {
      const id = await withPicture();
      const [edited, placed] = await Promise.all([
        edit(seller, id, { startingBid: 16_000, description: "It has a scratch." }),
        bidOn(elsewhere, id, 17_000, 1),
      ]);
      const row = await storedProduct(w, id);
      if (edited.status === 200) {
        expect(placed).toMatchObject({ code: "failed-precondition", message: bidTexts.changed });
        expect(row).toMatchObject({ bidCount: 0, price: 16_000, terms: 2 });
      } else {
        expect(edited).toMatchObject({ code: "failed-precondition", message: editMessages.hasBids });
        expect(placed.status).toBe(200);
        expect(row).toMatchObject({ bidCount: 1, price: 17_000, startingBid: 15_000, terms: 1 });
      }
    }
  });
});
