import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auctionTexts, grades } from "#domain/auction.ts";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { product, storedProduct } from "#tests/support/auctions.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { createProduct, productForm, readyPicture } from "#tests/support/pictures.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionPicture, auctionProduct } from "../tables.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
});
afterAll(() => w.stop());

const minute = 60_000;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minute);
const idOf = (answer: { body: unknown }) => textIn(answer.body, "id");
const productsOf = (who: Person) =>
  w.services.database.db.select().from(auctionProduct).where(eq(auctionProduct.sellerId, who.id));

test("a product is on sale immediately, with two pictures in their order, and audited", async () => {
  const who = await person(w, "agent", "pending");
  const images = [await readyPicture(who), await readyPicture(who)].toSorted().toReversed();
  await product(w, who, { state: "sold", winningBid: 15_000, closedAt: new Date() });
  const answer = await createProduct(
    who,
    productForm({ productName: "  Desk ", handover: " Collection in Cape Town ", images }),
  );
  expect(answer.status).toBe(200);
  const id = idOf(answer);
  const state = await w.services.products.read(id);
  expect(state).toMatchObject({
    productName: "Desk",
    handover: "Collection in Cape Town",
    seller: { name: "A***i", sold: 1 },
    startingBid: 150_050,
    price: 150_050,
    leastBid: 150_050,
    bidCount: 0,
    state: "open",
    version: 1,
  });
  expect(state?.pictures.map((picture) => picture.id)).toEqual(images);
  const entries = await w.services.database.db.select().from(audit).where(eq(audit.actorId, who.id));
  expect(entries).toMatchObject([{ action: "product-uploaded", subjectId: who.id, detail: { product: id } }]);
});

test("late bids extend an auction, unless its seller chooses otherwise", async () => {
  const who = await person(w, "student", "active");
  const extended = async (changes: object) => {
    const images = [await readyPicture(who)];
    const { body } = await createProduct(who, productForm({ images, ...changes }));
    return (await storedProduct(w, textIn(body, "id"))).softClose;
  };
  expect(await extended({})).toBe(true);
  expect(await extended({ softClose: false })).toBe(false);
});

test("a product is found by its name immediately", async () => {
  const who = await person(w, "student", "active");
  const productName = "Quaint  quaint Escritoire's lid";
  const answer = await createProduct(who, productForm({ productName, images: [await readyPicture(who)] }));
  for (const search of ["escritoire's quaint", "escrit", "quaint lid"]) {
    const { body } = await new Caller(w.app).call("auctions.list", { search });
    expect(body, search).toMatchObject({ products: [{ id: idOf(answer), productName }] });
  }
});

describe("refusals, in their order", () => {
  const wrongEverywhere = productForm({ productName: " ", images: [], startingBid: "-", grade: "Grade Z" });
  test("login comes first", async () => {
    const visitor = { id: "", email: "", caller: new Caller(w.app) };
    expect(await createProduct(visitor, wrongEverywhere)).toMatchObject({
      status: 401,
      code: "unauthenticated",
      message: "You must be logged in to upload a product.",
    });
  });

  const six = Array.from({ length: 6 }, () => crypto.randomUUID());
  const [one = ""] = six;
  test.each([
    [
      "an empty name, even with everything else wrong",
      wrongEverywhere,
      auctionTexts.incomplete,
      "productName",
    ],
    [
      "too long a text about collection or delivery",
      productForm({ handover: "x".repeat(121), images: [one] }),
      "Collection or delivery must be at most 120 characters long.",
      "handover",
    ],
    [
      "a name that reads like a link",
      productForm({ productName: "Your refund waits: https://evil.example/login", images: [one] }),
      "Product name looks like a web address. If it isn't one, please put a space after each full stop.",
      "productName",
    ],
    ["no description", productForm({ description: "" }), auctionTexts.incomplete, "description"],
    ["no starting bid", productForm({ startingBid: " " }), auctionTexts.incomplete, "startingBid"],
    ["no category", productForm({ category: "" }), auctionTexts.incomplete, "category"],
    ["no subcategory", productForm({ subcategory: "" }), auctionTexts.incomplete, "subcategory"],
    ["no grade", productForm({ grade: "" }), auctionTexts.incomplete, "grade"],
    [
      "no end, with six pictures",
      productForm({ endDate: null, images: six }),
      auctionTexts.incomplete,
      "endDate",
    ],
    [
      "no picture, with a wrong amount",
      productForm({ startingBid: "x" }),
      "Please upload at least one image.",
      "images",
    ],
    [
      "six pictures, with a wrong end",
      productForm({ images: six, endDate: inMinutes(1) }),
      "You can upload a maximum of 5 images.",
      "images",
    ],
    [
      "a subcategory of another category",
      productForm({ images: [one], subcategory: "Phones" }),
      auctionTexts.incomplete,
      "subcategory",
    ],
    [
      "an unknown category",
      productForm({ images: [one], category: "toString" }),
      auctionTexts.incomplete,
      "category",
    ],
    [
      "a starting bid below R1",
      productForm({ images: [one], startingBid: "0.99" }),
      "The starting bid must be at least R1.00.",
      "startingBid",
    ],
    [
      "an end in 9 minutes",
      productForm({ images: [one], endDate: inMinutes(9) }),
      auctionTexts.endDate,
      "endDate",
    ],
    [
      "an end in 91 days",
      productForm({ images: [one], endDate: inMinutes(91 * 24 * 60) }),
      auctionTexts.endDate,
      "endDate",
    ],
    ["missing pictures", productForm({ images: [one] }), "Please choose the pictures again.", "images"],
  ] as const)("%s", async (_title, form, message, field) => {
    const answer = await createProduct(seller, form);
    expect(answer).toMatchObject({ message, body: { data: { field } } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await productsOf(seller)).toEqual([]);
  });

  test("another owner's pictures, used pictures, and a picture twice", async () => {
    const who = await person(w, "student", "active");
    const other = await person(w, "student", "active");
    const [theirs, mine, more] = [
      await readyPicture(other),
      await readyPicture(who),
      await readyPicture(who),
    ];
    const again = { code: "not-found", message: "Please choose the pictures again." };
    expect(await createProduct(who, productForm({ images: [mine, theirs] }))).toMatchObject(again);
    expect(await createProduct(who, productForm({ images: [mine, mine] }))).toMatchObject(again);
    expect((await createProduct(who, productForm({ images: [mine] }))).status).toBe(200);
    expect(await createProduct(who, productForm({ images: [more, mine] }))).toMatchObject(again);
    expect((await createProduct(who, productForm({ images: [more] }))).status).toBe(200);
  });
});

test("only one of ten concurrent products gets the same pictures", async () => {
  const who = await person(w, "student", "active");
  const [first, second] = [await readyPicture(who), await readyPicture(who)];
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      createProduct(who, productForm({ images: at % 2 === 0 ? [first, second] : [second, first] })),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "not-found")).toHaveLength(9);
  expect(await productsOf(who)).toHaveLength(1);
});

test("an account can list 50 products a day, and refused ones don't count", async () => {
  const who = await person(w, "student", "active");
  for (const grade of grades)
    expect((await createProduct(who, productForm({ grade, images: [crypto.randomUUID()] }))).code).toBe(
      "not-found",
    );
  const ids = Array.from({ length: 52 }, () => crypto.randomUUID());
  await w.services.database.db
    .insert(auctionPicture)
    .values(ids.map((id) => ({ id, ownerId: who.id, width: 1, height: 1 })));
  const answers = [];
  for (const id of ids) answers.push((await createProduct(who, productForm({ images: [id] }))).code);
  expect(answers.slice(0, 50)).toEqual(Array(50).fill(null));
  expect(answers.slice(50)).toEqual(["resource-exhausted", "resource-exhausted"]);
});

test("an account that lost its access during a session can't list a product", async () => {
  const who = await person(w, "student", "active");
  const picture = await readyPicture(who);
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, who.id));
  expect((await createProduct(who, productForm({ images: [picture] }))).code).toBe("permission-denied");
});
