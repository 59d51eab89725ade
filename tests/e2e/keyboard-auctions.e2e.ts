import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { painted } from "#tests/support/pictures.ts";
import { bids, onSale, panel } from "./auctioneer.ts";
import { pick, press, tabTo, type } from "./keyboard.ts";
import { signedUp } from "./people.ts";
import { isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";

/** A screen of 1280 by 1024 at 400% zoom. */
test.use({ contextOptions: { reducedMotion: "reduce" }, viewport: { width: 320, height: 256 } });

async function choosePictures(page: Page, ...names: string[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await press(page, page.getByRole("button", { name: "Choose files" }));
  const buffer = await painted(900, 700, "#336699").jpeg().toBuffer();
  await (await chooser).setFiles(names.map((name) => ({ name, mimeType: "image/jpeg", buffer })));
}

test("a seller uploads a product with its pictures in order, views them and deletes it", async ({
  page,
  server,
}) => {
  await signedUp(page, server.url, "student");
  await page.goto("/auctions");
  await isHydrated(page);
  // Everything below still moves until this is shown.
  await expect(page.getByRole("region", { name: "Email verification" })).toBeVisible();
  await press(page, page.getByRole("link", { name: "Sell an item" }));
  await type(page, page.getByLabel("Product name"), "Blue laptop");
  await type(page, page.getByLabel("Description"), "Used for one semester.");
  await pick(page, page.getByLabel("Category", { exact: true }), "Electronics");
  await pick(page, page.getByLabel("Subcategory"), "Laptops");
  await pick(page, page.getByLabel("Grade"), "Grade B");
  await type(page, page.getByLabel("Starting bid"), "1250.50");
  const end = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString();
  const [year, month, day] = end.slice(0, 10).split("-");
  // The browser's own order is month first, whatever the page's language.
  await type(page, page.getByLabel("End date"), `${month}${day}${year}1030AM`);
  await expect(page.getByLabel("End date")).toHaveValue(`${year}-${month}-${day}T10:30`);

  await choosePictures(page, "front.jpg", "side.jpg", "back.jpg");
  const earlier = page.getByRole("button", { name: "Move earlier: back.jpg" });
  await tabTo(page, earlier, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(earlier).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("listitem", { name: "back.jpg" })).toContainText("Shown first");
  await expect(page.getByRole("region", { name: "Pictures" }).getByRole("status")).toHaveText(
    "Pictures in order: back.jpg, front.jpg, side.jpg",
  );
  // The picture is in last place already, and its button keeps the focus.
  await expect(earlier).toBeDisabled();
  await expect(earlier).toBeFocused();
  await press(page, page.getByRole("button", { name: "Remove front.jpg" }));
  await expect(page.getByRole("listitem", { name: "side.jpg" })).toBeFocused();
  await press(page, page.getByRole("main").getByRole("button", { name: "Upload Product" }));
  await expect(page).toHaveURL("/product-list");
  await expect(page.getByRole("main")).toBeFocused();

  await press(page, page.getByRole("link", { name: "Blue laptop" }));
  const second = page.getByRole("button", { name: "Show picture 2" });
  await press(page, second, "Space");
  await expect(page.getByRole("img", { name: "Blue laptop, picture 2" })).toBeVisible();
  await expect(second).toBeFocused();
  await page.goBack();
  await expect(page.getByRole("main")).toBeFocused();
  await press(page, page.getByRole("button", { name: "Delete Blue laptop" }));
  const question = page.getByRole("dialog", { name: "Delete product" });
  await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await press(page, question.getByRole("button", { name: "Delete" }));
  await expect(page.getByText("Nothing for sale yet")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
});

test("a bidder narrows the list, opens a product and bids", async ({ page, server, anotherBrowser }) => {
  const sellersPage = await anotherBrowser();
  await signedUp(sellersPage, server.url, "student");
  const mark = randomUUID().slice(0, 8);
  await onSale(server, sellersPage, { productName: `Oak desk ${mark}` });
  await signedUp(page, server.url, "student");
  await page.goto("/auctions");
  await isHydrated(page);
  await type(page, page.getByRole("searchbox"), mark);
  const chips = page.getByRole("list", { name: "Filters in use" }).getByRole("listitem");
  const cards = page.getByRole("list", { name: "Open auctions" }).getByRole("link");
  await expect(cards).toHaveCount(1);
  await pick(page, page.getByLabel("Category", { exact: true }), "Electronics");
  await pick(page, page.getByLabel("Grade"), "New");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await press(page, page.getByRole("button", { name: "Remove Electronics" }));
  // The chip that was pressed is gone; the one next to it remains.
  await expect(chips.filter({ hasText: "New" })).toBeFocused();
  await press(page, page.getByRole("button", { name: "Remove New" }));
  await expect(cards).toHaveCount(1);
  await press(page, cards);
  await expect(page.getByRole("heading", { level: 1, name: `Oak desk ${mark}` })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await tabTo(page, panel(page).getByLabel("Your bid"));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("20");
  await page.keyboard.press("Enter");
  const refusal = page.getByRole("dialog", { name: "Bid Error" });
  await expect(refusal.getByRole("button", { name: "OK" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel(page).getByLabel("Your bid")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("175");
  await press(page, panel(page).getByRole("button", { name: "Place bid" }));
  await expect(bids(page)).toHaveText(/^You.*R175\.00$/);
  const price = panel(page).getByRole("status").filter({ hasText: "Price" });
  await expect(price).toContainText("Price R175.00, 1 bid. You're winning.");
  // The button was briefly busy and has the focus again.
  await expect(panel(page).getByRole("button", { name: "Place bid" })).toBeFocused();
});
