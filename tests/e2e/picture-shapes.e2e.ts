import type { Locator, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { auctionPicture } from "#server/features/auctions/tables.ts";
import { uploadHeaders } from "#tests/support/documents.ts";
import { painted } from "#tests/support/pictures.ts";
import { inDatabase, onSale } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import type { Server } from "./server.ts";
import { expect, test } from "./story.ts";

const shapes = [
  ["16:9", 1600, 900],
  ["3:2", 1200, 800],
  ["4:3", 1200, 900],
  ["1:1", 900, 900],
  ["3:4", 900, 1200],
  ["9:16", 900, 1600],
  ["panorama", 2400, 500],
  ["tower", 500, 4000],
] as const;

/** Creates a product of the signed-in seller with one picture of this size; returns its id. */
async function withPicture(page: Page, server: Server, name: string, width: number, height: number) {
  const productId = await onSale(server, page, { productName: `Shape ${name}` });
  const response = await page.request.post(`${server.url}/files/auction-pictures`, {
    headers: { ...uploadHeaders("picture"), origin: server.url },
    data: await painted(width, height).jpeg().toBuffer(),
    maxRetries: 2,
  });
  const { id } = await response.json();
  await inDatabase(server, ({ services: { database } }) =>
    database.db.update(auctionPicture).set({ productId, position: 0 }).where(eq(auctionPicture.id, id)),
  );
  return productId;
}

/** Returns the pixels between the picture and the outside of its box, on each side. */
async function edgesOf(image: Locator): Promise<number[]> {
  const box = image.locator("xpath=ancestor::div[1]");
  const [inner, outer] = [await image.boundingBox(), await box.boundingBox()];
  if (!inner || !outer) return [];
  return [
    inner.x - outer.x,
    inner.y - outer.y,
    outer.x + outer.width - inner.x - inner.width,
    outer.y + outer.height - inner.y - inner.height,
  ].map(Math.round);
}

/** Expects the picture to be loaded, to fill its box and to be centred; `fit` is how its proportions are handled. */
async function expectInBox(image: Locator, fit: "cover" | "contain"): Promise<void> {
  // The page may replace the picture while it hydrates.
  await expect(async () => {
    await image.scrollIntoViewIfNeeded();
    await expect(image).not.toHaveJSProperty("naturalWidth", 0, { timeout: 1000 });
  }).toPass();
  await expect(image).toHaveCSS("object-fit", fit);
  await expect(image).toHaveCSS("object-position", "50% 50%");
  // The box has a border of one pixel.
  await expect.poll(() => edgesOf(image)).toEqual([1, 1, 1, 1]);
}

test("a thumbnail of a panorama is sharp, and an enlarged tower is scrolled from its top", async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signedUp(page, server.url, "student");
  await withPicture(page, server, "panorama", 2400, 500);
  await page.goto("/product-list");
  // The smallest file would be enlarged to fill its box.
  await expect
    .poll(() => page.evaluate<string>("document.querySelector('main li img')?.currentSrc"))
    .toMatch(/\/800\.webp$/);

  await page.goto(`/product/${await withPicture(page, server, "tower", 500, 4000)}`);
  await page.getByRole("button", { name: "Enlarge picture" }).click();
  await page.getByRole("button", { name: "Show full size" }).click();
  const enlarged = page.getByRole("dialog").getByRole("img");
  const stage = enlarged.locator("xpath=ancestor::div[1]");
  const [picture, window] = [await enlarged.boundingBox(), await stage.boundingBox()];
  expect(picture?.height ?? 0).toBeGreaterThan(2 * (window?.height ?? 0));
  expect(picture?.y ?? 0).toBeGreaterThanOrEqual(window?.y ?? 0);
});

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
])
  test(`pictures of every shape fit their boxes, ${viewport.width} pixels wide`, async ({ page, server }) => {
    await page.setViewportSize(viewport);
    await signedUp(page, server.url, "student");
    const products = [];
    for (const [name, width, height] of shapes)
      products.push({ name, id: await withPicture(page, server, name, width, height) });

    await page.goto("/auctions?sort=newest");
    for (const { name } of products) {
      const card = page
        .getByRole("listitem")
        .filter({ hasText: `Shape ${name}` })
        .first();
      await expectInBox(card.locator("img"), "cover");
    }
    await page.goto("/product-list");
    for (const { name } of products)
      await expectInBox(page.getByRole("listitem", { name: `Shape ${name}` }).locator("img"), "cover");
    for (const { name, id } of products) {
      await page.goto(`/product/${id}`);
      await expectInBox(page.getByRole("img", { name: `Shape ${name}` }), "contain");
    }
  });
