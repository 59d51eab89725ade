import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListedProduct } from "#contract/listed-products.ts";
import { bid, endAt, product, remove } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionPicture } from "../tables.ts";

type Page = { products: ListedProduct[]; next: string | null };

let w: Wayfare;
let seller: Person;
const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour);

async function list(input: object = {}): Promise<Page> {
  const { status, body } = await new Caller(w.app).call("auctions.list", input);
  expect(status).toBe(200);
  return body as Page;
}
const namesOf = ({ products }: Page) => products.map(({ productName }) => productName);

beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
  const phone = { category: "electronics", subcategory: "Phones" } as const;
  const shirt = { category: "fashion", subcategory: "Accessories", grade: "New" } as const;
  await product(w, seller, { productName: "Ünique LAMP", endDate: inHours(5), startingBid: 500 });
  await product(w, seller, {
    ...phone,
    productName: "Phone 100%_new",
    endDate: inHours(1),
    startingBid: 900,
  });
  await product(w, seller, { ...phone, productName: "Back\\slash", endDate: inHours(3), startingBid: 700 });
  await product(w, seller, { ...shirt, productName: "Silk scarf", endDate: inHours(2), startingBid: 800 });
});
afterAll(() => w.stop());

describe("a few products", () => {
  test("say whether late bids extend them", async () => {
    const latestEnd = new Date(Date.now() + 24 * hour);
    const id = await product(w, seller, { productName: "Chess clock", softClose: true, endDate: latestEnd });
    const [clock] = (await list({ search: "chess clock" })).products;
    expect(clock).toMatchObject({ id, lateBidsExtend: true });
    expect((await list({ search: "lamp" })).products).toMatchObject([{ lateBidsExtend: false }]);
    await remove(seller, id);
  });

  test("are listed in each order, with their current prices", async () => {
    const byEnd = ["Phone 100%_new", "Silk scarf", "Back\\slash", "Ünique LAMP"];
    expect(namesOf(await list())).toEqual(byEnd);
    expect(namesOf(await list({ sort: "newest" }))).toEqual(
      ["Ünique LAMP", "Phone 100%_new", "Back\\slash", "Silk scarf"].toReversed(),
    );
    const bidder = await person(w, "student", "active");
    const [lamp] = (await list({ search: "lamp" })).products;
    expect((await bid(bidder.caller, lamp?.id ?? "", 8.5)).status).toBe(200);
    const up = ["Back\\slash", "Silk scarf", "Ünique LAMP", "Phone 100%_new"];
    expect(namesOf(await list({ sort: "priceUp" }))).toEqual(up);
    expect(namesOf(await list({ sort: "priceDown" }))).toEqual(up.toReversed());
    expect((await list({ search: "lamp" })).products).toMatchObject([{ price: 850, bidCount: 1 }]);
  });

  test("are found by a search in every order, regardless of its letter case", async () => {
    for (const [search, names] of [
      ["unIQUE", ["Ünique LAMP"]],
      [" lamp ", ["Ünique LAMP"]],
      ["100 new", ["Phone 100%_new"]],
      ["back\\slash", ["Back\\slash"]],
      ["electronics", ["Back\\slash", "Phone 100%_new"]],
    ] as const)
      for (const sort of ["endingSoonest", "newest", "priceUp", "priceDown"])
        expect(namesOf(await list({ search, sort })).toSorted(), `${search} by ${sort}`).toEqual(names);
  });

  test("are filtered by category, subcategory and grade; a subcategory of another category does not count", async () => {
    for (const [filter, names] of [
      [{ category: "electronics" }, ["Phone 100%_new", "Back\\slash"]],
      [{ category: "electronics", subcategory: "Laptops" }, []],
      [
        { category: "electronics", subcategory: "Phones", grade: "Grade A" },
        ["Phone 100%_new", "Back\\slash"],
      ],
      [{ category: "fashion", subcategory: "Phones" }, ["Silk scarf"]],
      [{ subcategory: "Phones" }, ["Phone 100%_new", "Silk scarf", "Back\\slash", "Ünique LAMP"]],
      [{ grade: "New" }, ["Silk scarf"]],
      [{ grade: "Grade A", search: "slash" }, ["Back\\slash"]],
      [{ category: "home", search: "slash" }, []],
    ] as const)
      expect(namesOf(await list(filter)), JSON.stringify(filter)).toEqual(names);
    expect((await new Caller(w.app).call("auctions.list", { grade: "Grade Z" })).code).toBe(
      "invalid-argument",
    );
  });

  test("are listed with public data only, and the first picture", async () => {
    const id = await product(w, seller, { productName: "Pictured vase", subcategory: "Decor" });
    const pictures = [2, 0, 1].map((position) => ({
      id: `00000000-0000-4000-8000-00000000000${position}`,
      ownerId: seller.id,
      productId: id,
      position,
      width: 640,
      height: 480,
    }));
    await w.services.database.db.insert(auctionPicture).values(pictures);
    expect((await list({ search: "pictured" })).products).toEqual([
      {
        id,
        productName: "Pictured vase",
        category: "home",
        subcategory: "Decor",
        grade: "Grade A",
        price: 15_000,
        bidCount: 0,
        version: 1,
        fit: "called",
        endDate: expect.any(String),
        picture: { id: "00000000-0000-4000-8000-000000000000", width: 640, height: 480 },
        collectionPlace: "",
        courier: null,
        lateBidsExtend: false,
      },
    ]);
    await remove(seller, id);
  });

  test("are in no list when ended, settled or removed", async () => {
    const ended = await product(w, seller, { productName: "Gone one" });
    await endAt(w, ended, new Date(Date.now() - 1));
    for (const state of ["sold", "unsold", "removed"] as const)
      await product(w, seller, {
        productName: `Gone ${state}`,
        state,
        ...(state === "sold" && { winningBid: 1, closedAt: new Date() }),
      });
    for (const sort of ["endingSoonest", "newest", "priceUp", "priceDown"])
      for (const search of ["", "gone", "go"])
        for (const grade of [undefined, "Grade A"])
          expect(
            namesOf(await list({ sort, search, grade })).filter((name) => name.startsWith("Gone")),
          ).toEqual([]);
  });

  test("refuse an invalid cursor, and one of another order", async () => {
    const cursor = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
    const id = "00000000-0000-4000-8000-000000000000";
    const refused = async (sort: string, at: string) =>
      expect((await new Caller(w.app).call("auctions.list", { sort, cursor: at })).code).toBe(
        "invalid-argument",
      );
    for (const sort of ["endingSoonest", "newest", "priceUp", "priceDown"])
      for (const at of ["nonsense", "", cursor("100", "no id"), cursor("x", id), cursor("-1", id)])
        await refused(sort, at);
    await refused("newest", cursor("100", id));
    await refused("newest", cursor("0000-01-01T00:00:00Z", id));
    await refused("priceUp", cursor("2026-11-21T10:00:00.000Z", id));
    await refused("priceUp", cursor("9".repeat(30), id));
  });
});
