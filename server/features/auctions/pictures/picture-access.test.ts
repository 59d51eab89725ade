import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { bid } from "#tests/support/auctions.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import {
  createProduct,
  filesOfPicture,
  painted,
  productForm,
  readyPicture,
  sendPicture,
} from "#tests/support/pictures.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
});
afterAll(() => w.stop());

test("a picture is visible to everyone while its product exists, and to nobody before and after", async () => {
  const picture = await readyPicture(seller);
  const statuses = async (caller: Caller, id = picture) =>
    new Set((await filesOfPicture(caller, id)).map(({ response }) => response.status));
  expect(await statuses(seller.caller)).toEqual(new Set([404]));
  const created = await createProduct(seller, productForm({ images: [picture] }));
  expect(await statuses(new Caller(w.app))).toEqual(new Set([200]));
  const path = `/pictures/${picture}/320.webp`;
  const head = await seller.caller.request(path, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const conditions = { headers: { "if-none-match": head.headers.get("etag") ?? "" } };
  const unchanged = await seller.caller.request(path, conditions);
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
  expect(unchanged.headers.get("cache-control")).toBe("public, max-age=86400");
  for (const other of [
    `${picture}/321.webp`,
    `${picture}/320.png`,
    "x/320.webp",
    `${crypto.randomUUID()}/320.jpg`,
  ])
    expect((await seller.caller.request(`/pictures/${other}`, {})).status).toBe(404);
  const productId = textIn(created.body, "id");
  const bidder = await person(w, "student", "active");
  expect((await bid(bidder.caller, productId, 1600)).status).toBe(200);
  const pictureInList = async () => {
    const { bids } = await bidder.caller.api.auctions.myBids({});
    return bids[0]?.picture;
  };
  expect(await pictureInList()).toMatchObject({ id: picture });
  expect((await seller.caller.call("auctions.remove", { productId })).status).toBe(200);
  expect(await statuses(seller.caller)).toEqual(new Set([404]));
  expect((await seller.caller.request(path, conditions)).status).toBe(404);
  // The list shows no picture that the viewer can't load.
  expect(await pictureInList()).toBeNull();
});

test("neither a visitor nor an account that lost its access during a session can upload a picture", async () => {
  const bytes = await painted().jpeg().toBuffer();
  expect(await sendPicture({ caller: new Caller(w.app) }, bytes)).toMatchObject({
    status: 401,
    code: "unauthenticated",
    message: "You must be logged in to upload a product.",
  });
  const who = await person(w, "student", "active");
  expect((await sendPicture(who, bytes)).status).toBe(200);
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, who.id));
  expect((await sendPicture(who, bytes)).code).toBe("permission-denied");
});

test("a picture is accepted only from our own pages", async () => {
  const bytes = await painted().jpeg().toBuffer();
  expect((await sendPicture(seller, bytes, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await sendPicture(seller, bytes, { "content-type": "text/plain" })).status).toBe(415);
  expect((await sendPicture(seller, bytes, { "x-csrf-token": "" })).code).toBe("permission-denied");
});

test("an account can upload 200 pictures a day", async () => {
  const who = await person(w, "student", "active");
  await Promise.all(Array.from({ length: 200 }, () => sendPicture(who, Buffer.from("none"))));
  const bytes = await painted().jpeg().toBuffer();
  expect(await sendPicture(who, bytes)).toMatchObject({ status: 429, code: "resource-exhausted" });
  expect((await sendPicture(seller, bytes)).status).toBe(200);
});
