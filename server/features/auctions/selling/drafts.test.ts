import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { draftLimits, draftTexts } from "#domain/item-draft.ts";
import { closed, product, storedProduct } from "#tests/support/auctions.ts";
import { textIn } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import {
  createProduct,
  filesOfPicture,
  pictureFilesIn,
  productForm,
  readyPicture,
} from "#tests/support/pictures.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { tidyPictures } from "../pictures/tidy-pictures.ts";
import { auctionPicture, auctionProduct } from "../tables.ts";
import { tidyDrafts } from "./drafts.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const student = () => person(w, "student", "active");
const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);

test("a draft keeps an incomplete form with its pictures, visible only to its owner, until it is published", async () => {
  const [seller, other] = [await student(), await student()];
  const image = await readyPicture(seller);
  const { api } = seller.caller;
  const { draftId } = await api.auctions.saveDraft({
    form: { productName: "Desk", startingBid: "not yet" },
    images: [image],
  });
  expect(await api.auctions.draft({ draftId })).toMatchObject({
    form: { productName: "Desk", startingBid: "not yet", grade: "" },
    pictures: [{ id: image, width: 64, height: 48 }],
    isCopy: false,
  });
  const statuses = async (who: typeof seller) =>
    new Set((await filesOfPicture(who.caller, image)).map(({ response }) => response.status));
  expect([await statuses(seller), await statuses(other)]).toEqual([new Set([200]), new Set([404])]);

  await api.auctions.saveDraft({ draftId, form: { productName: "Oak desk" }, images: [image] });
  expect(await api.auctions.drafts({})).toMatchObject({
    drafts: [{ form: { productName: "Oak desk", startingBid: "" } }],
  });
  await tidyPictures(w.services, inDays(30));
  expect(await statuses(seller)).toEqual(new Set([200]));

  const refused = await createProduct(seller, productForm({ images: [image], draftId, grade: "" }));
  expect(refused.code).toBe("form/incomplete");
  const created = await createProduct(seller, productForm({ images: [image], draftId }));
  expect(created.status).toBe(200);
  expect(await api.auctions.drafts({})).toEqual({ drafts: [] });
  expect(await statuses(other)).toEqual(new Set([200]));
});

test("a draft is deleted by its owner or after 90 days, and its pictures the night after", async () => {
  const seller = await student();
  const { api } = seller.caller;
  const save = async () => {
    const image = await readyPicture(seller);
    const { draftId } = await api.auctions.saveDraft({ form: {}, images: [image] });
    return { draftId, image };
  };
  const [deleted, old] = [await save(), await save()];
  await api.auctions.dropDraft({ draftId: deleted.draftId });
  await tidyDrafts(w.services, inDays(draftLimits.days - 1));
  expect((await api.auctions.drafts({})).drafts.map(({ id }) => id)).toEqual([old.draftId]);
  await tidyDrafts(w.services, inDays(draftLimits.days + 1));
  expect(await api.auctions.drafts({})).toEqual({ drafts: [] });
  await tidyPictures(w.services, inDays(2));
  const files = await pictureFilesIn(w);
  for (const { image } of [deleted, old]) expect(files.some((key) => key.includes(image))).toBe(false);
});

test("an empty draft, another owner's picture and a draft beyond the limit are refused", async () => {
  const [seller, other] = [await student(), await student()];
  const save = (form: object, images: string[] = []) =>
    seller.caller.call("auctions.saveDraft", { form, images });
  expect(await save({ productName: "  " })).toMatchObject({ message: draftTexts.empty });
  expect(await save({}, [await readyPicture(other)])).toMatchObject({ code: "form/incomplete" });
  for (const at of Array(draftLimits.drafts).keys())
    expect((await save({ productName: `Desk ${at}` })).status).toBe(200);
  expect(await save({ productName: "Desk" })).toMatchObject({
    code: "failed-precondition",
    message: draftTexts.tooMany,
  });
});

test("an ended item is copied into a draft with its own files, and the new product links back to it", async () => {
  const [seller, other] = [await student(), await student()];
  const image = await readyPicture(seller);
  const form = productForm({
    images: [image],
    collectionPlace: "Cape Town",
    courier: "99",
    softClose: false,
  });
  const former = textIn((await createProduct(seller, form)).body, "id");
  const again = (who: typeof seller, productId: string) =>
    who.caller.call("auctions.sellAgain", { productId });
  expect(await again(seller, former)).toMatchObject({ code: "failed-precondition" });
  const { db } = w.services.database;
  await db.update(auctionProduct).set(closed).where(eq(auctionProduct.id, former));
  expect(await again(other, former)).toMatchObject({ code: "not-found" });
  expect(await again(seller, await product(w, other, closed))).toMatchObject({ code: "not-found" });
  const { draftId } = await seller.caller.api.auctions.sellAgain({ productId: former });
  const draft = await seller.caller.api.auctions.draft({ draftId });
  expect(draft).toMatchObject({
    isCopy: true,
    form: {
      productName: "Walnut writing desk",
      startingBid: "1500.50",
      collectionPlace: "Cape Town",
      courier: "99",
      endDate: "",
      softClose: "off",
    },
    pictures: [{ width: 64, height: 48 }],
  });
  const images = draft.pictures.map(({ id }) => id);
  expect(images).not.toContain(image);
  const created = await createProduct(seller, productForm({ images, draftId }));
  const id = textIn(created.body, "id");
  expect(await w.services.products.read(id)).toMatchObject({ formerId: former, bidCount: 0 });
  expect(await storedProduct(w, former)).toMatchObject({ state: "unsold" });
  for (const pictureId of [image, ...images])
    for (const { response, bytes } of await filesOfPicture(other.caller, pictureId))
      expect([response.status, bytes.length > 0]).toEqual([200, true]);
  const pictures = await db.select().from(auctionPicture).where(eq(auctionPicture.productId, former));
  expect(pictures).toHaveLength(1);
});
