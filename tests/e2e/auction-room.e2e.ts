import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { auctionPicture } from "#server/features/auctions/tables.ts";
import { uploadHeaders } from "#tests/support/documents.ts";
import { painted } from "#tests/support/pictures.ts";
import { bids, inDatabase, onSale, openAsBidder, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import type { Server } from "./server.ts";
import { isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";

/** Puts an item with this many pictures on sale, as the person signed in at this page; returns its id. */
async function withPictures(page: Page, server: Server, number: number): Promise<string> {
  const productId = await onSale(server, page);
  for (let position = 0; position < number; position += 1) {
    const response = await page.request.post(`${server.url}/files/auction-pictures`, {
      headers: { ...uploadHeaders("picture"), origin: server.url },
      data: await painted(1200, 900, ["#7a5234", "#0e5a4e", "#336699"][position]).jpeg().toBuffer(),
      maxRetries: 2,
    });
    const { id } = await response.json();
    await inDatabase(server, ({ services: { database } }) =>
      database.db.update(auctionPicture).set({ productId, position }).where(eq(auctionPicture.id, id)),
    );
  }
  return productId;
}

type Point = { x: number; y: number };

/** Moves fingers over the page, each along its points. */
async function touch(page: Page, ...steps: readonly Point[][]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: touchPoints.map((point, id) => ({ ...point, id })),
    });
  const [first = [], ...others] = steps;
  await send("touchStart", first);
  for (const step of others) await send("touchMove", step);
  await send("touchEnd", []);
  await session.detach();
}

test("pictures are changed by keys and by a swipe, and enlarged by two fingers", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const desk = await withPictures(seller, server, 3);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/product/${desk}`);
  await isHydrated(page);
  await page.getByRole("button", { name: "Enlarge picture" }).click();
  const dialog = page.getByRole("dialog");
  const shows = (place: number) =>
    expect(dialog).toHaveAccessibleName(`Walnut writing desk, picture ${place}`);
  await shows(1);
  await page.keyboard.press("End");
  await shows(3);
  await page.keyboard.press("ArrowRight");
  await shows(1);
  await page.keyboard.press("ArrowLeft");
  await shows(3);
  await page.keyboard.press("Home");
  await shows(1);

  await touch(page, [{ x: 320, y: 400 }], [{ x: 200, y: 405 }], [{ x: 80, y: 410 }]);
  await shows(2);
  await touch(page, [{ x: 80, y: 400 }], [{ x: 320, y: 400 }]);
  await shows(1);
  // A finger that moves down changes no picture.
  await touch(page, [{ x: 200, y: 300 }], [{ x: 210, y: 600 }]);
  await shows(1);

  const width = async () => (await dialog.getByRole("img").boundingBox())?.width ?? 0;
  const before = await width();
  await touch(
    page,
    [
      { x: 150, y: 400 },
      { x: 240, y: 400 },
    ],
    [
      { x: 60, y: 400 },
      { x: 330, y: 400 },
    ],
  );
  await expect(dialog.getByRole("button", { name: "Fit to window" })).toBeVisible();
  expect(await width()).toBeGreaterThan(2 * before);
  // One finger pans an enlarged picture, and changes none.
  await touch(page, [{ x: 320, y: 400 }], [{ x: 80, y: 400 }]);
  await shows(1);
  await dialog.getByRole("button", { name: "Fit to window" }).click();
  expect(await width()).toBe(before);
});

test("on a wide screen all pictures are side by side", async ({ page, server, anotherBrowser }) => {
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const desk = await withPictures(seller, server, 3);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/product/${desk}`);
  await isHydrated(page);
  await page.getByRole("button", { name: "Enlarge picture" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Show all pictures" }).click();
  await expect(dialog.getByRole("img")).toHaveCount(3);
  await dialog.getByRole("button", { name: "Enlarge picture 2" }).click();
  await expect(dialog).toHaveAccessibleName("Walnut writing desk, picture 2");
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(dialog.getByRole("button", { name: "Show all pictures" })).toBeHidden();
});

test("the chart of the price shows its numbers after one press", async ({ page, server, anotherBrowser }) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  const curve = page.getByRole("figure", { name: "Price from R150.00 to R300.00 in 2 bids" });
  await placeBid(page, "150");
  await expect(bids(page)).toHaveCount(1);
  await expect(curve).toHaveCount(0);
  await placeBid(page, "300");
  await expect(curve).toBeVisible();
  await page.getByRole("button", { name: "Show the numbers" }).click();
  const table = page.getByRole("table", { name: "Price over time" });
  await expect(table.getByRole("row")).toHaveText([/Price/, /^1.*R150\.00$/, /^2.*R300\.00$/]);
  await page.getByRole("button", { name: "Hide the numbers" }).click();
  await expect(table).toHaveCount(0);
});

test("an extension is announced once, however often the end moves", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const desk = await onSale(server, seller, { endDate: new Date(Date.now() + 100_000), softClose: true });
  await page.goto(`/product/${desk}`);
  await expect(panel(page).getByText("A bid in the last 2 minutes extends it.")).toBeVisible();
  // Counts announcements from now on, as a screen reader would hear them.
  await page.evaluate(`
    window.said = [];
    for (const region of document.querySelectorAll("[aria-label=Bidding] output"))
      new MutationObserver(() => window.said.push(region.textContent)).observe(region, {
        childList: true, characterData: true, subtree: true,
      });`);
  const [ada, ben] = [await anotherBrowser(), await anotherBrowser()];
  await openAsBidder(ada, server, desk);
  await placeBid(ada, "150");
  await expect(panel(page).getByText(/^Extended, ends/)).toBeVisible();
  const end = await panel(page)
    .getByText(/^Extended, ends/)
    .textContent();
  await openAsBidder(ben, server, desk);
  await placeBid(ben, "200");
  await expect(panel(page).getByText(/^Extended, ends/)).not.toHaveText(end ?? "");
  const announcements = () => page.evaluate<string[]>("window.said");
  await expect.poll(announcements).toContain("Price R200.00, 2 bids.");
  expect((await announcements()).filter((text) => text.includes("Extended"))).toEqual(["Extended."]);
});

test("the device's share sheet gets the item's name and address, and may be closed", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await page.addInitScript(`
    window.shared = [];
    navigator.share = async (data) => {
      shared.push(data);
      throw new DOMException("Somebody closed the sheet.", "AbortError");
    };`);
  await page.goto(`/product/${desk}`);
  await isHydrated(page);
  await page.getByRole("button", { name: "Share" }).click();
  await expect
    .poll(() => page.evaluate("shared"))
    .toEqual([{ title: "Walnut writing desk", url: `${server.url}/product/${desk}` }]);
});

test("without a share sheet a visitor copies the item's address", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await page.addInitScript("delete Navigator.prototype.share;");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/product/${desk}`);
  await isHydrated(page);
  await page.getByRole("button", { name: "Share" }).click();
  await expect(page.getByText("Copied.")).toBeVisible();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`${server.url}/product/${desk}`);
});
