import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { cards, offered, searchBox } from "./auction-list-steps.ts";
import { onSale } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import { results } from "./steps.ts";
import { expect, test } from "./story.ts";

const chips = (page: Page): Locator => page.getByRole("list", { name: "Filters in use" });

const phone = { category: "electronics", subcategory: "Phones", grade: "New" } as const;
const shoes = { category: "fashion", subcategory: "Shoes" } as const;

test("an item is found by a part of its name, its category and its grade; a reload shows the same", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const mark = await offered(server, await anotherBrowser(), [
    { ...phone, productName: "Nokia phone", startingBid: 25_000 },
    { ...phone, productName: "Old phone", grade: "Grade C" },
    { ...shoes, productName: "Phone-shaped shoes" },
  ]);
  await page.goto("/auctions");
  await searchBox(page).fill(`${mark} NOKIA`);
  await expect(cards(page)).toHaveCount(1);
  await expect(results(page)).toHaveText("1 auction");
  await searchBox(page).fill(mark);
  await expect(cards(page)).toHaveCount(3);
  await expect(results(page)).toHaveText("3 auctions");

  await expect(page.getByLabel("Subcategory")).toBeDisabled();
  await page.getByLabel("Category", { exact: true }).selectOption("Electronics");
  await expect(cards(page)).toHaveCount(2);
  await page.getByLabel("Subcategory").selectOption("Phones");
  await page.getByLabel("Grade").selectOption("New");
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText([
    /Nokia phone.*New · Phones.*R250\.00.*No bids yet.*\d+h \d\dm \d\ds left/,
  ]);
  await expect(page).toHaveURL(/search=.*category=electronics&subcategory=Phones&grade=New/);

  await page.reload();
  await expect(cards(page)).toHaveCount(1);
  await expect(searchBox(page)).toHaveValue(mark);
  await expect(page.getByLabel("Grade")).toHaveValue("New");
  await cards(page).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: `Nokia phone ${mark}` })).toBeVisible();
  await page.goBack();
  await expect(cards(page)).toHaveCount(1);

  await chips(page).getByRole("button", { name: "Remove New" }).click();
  await expect(cards(page)).toHaveCount(2);
  await page.getByLabel("Category", { exact: true }).selectOption("Home");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await expect(results(page)).toHaveText("No auctions match");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/auctions$/);
  await expect(searchBox(page)).toHaveValue("");
});

test("the time left counts down to zero", async ({ page, server, anotherBrowser }) => {
  const endDate = new Date(Date.now() + 60 * 60_000);
  const mark = await offered(server, await anotherBrowser(), [{ productName: "Last call", endDate }]);
  await page.clock.install();
  await page.goto(`/auctions?search=${mark}`);
  await expect(cards(page)).toContainText([/0h 5\dm \d\ds left/]);
  // An answer of the server would reset the page's clock to the present.
  await page.context().setOffline(true);
  await page.clock.fastForward(50 * 60_000);
  await expect(cards(page)).toContainText([/0h 0\dm \d\ds left/]);
  await page.clock.fastForward(10 * 60_000);
  await expect(cards(page)).toContainText(["Auction Ended"]);
});

test("selling is offered to everyone; a visitor logs in first", async ({ page, server, anotherBrowser }) => {
  await page.goto("/auctions");
  await page.getByRole("link", { name: "Sell an item" }).click();
  await expect(page).toHaveURL(/\/login\?next=/);
  await expect(page.getByText("You must be logged in to upload a product.")).toBeVisible();

  const member = await anotherBrowser();
  await signedUp(member, server.url, "agent");
  await member.goto("/auctions");
  await member.getByRole("link", { name: "My products" }).click();
  await expect(member).toHaveURL("/product-list");
  await member.goto("/auctions");
  await member.getByRole("link", { name: "Sell an item" }).click();
  await expect(member).toHaveURL("/upload-product");
});

test("the grading guide says what each of the five grades promises", async ({ page }) => {
  await page.goto("/auctions");
  await page.getByRole("link", { name: "What each grade means" }).click();
  const rows = page.getByRole("rowheader");
  await expect(rows).toHaveText(["New", "Grade A+", "Grade A", "Grade B", "Grade C"]);
  await expect(page.getByRole("row", { name: /^New/ }).getByText("Works as new.")).toBeVisible();
});

test("an item's details lead a visitor to the rules that apply to it", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const desk = await onSale(server, seller, { rules: 1 });
  await page.goto(`/product/${desk}`);
  await page.getByRole("link", { name: "Version 1 of the rules" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Auction rules" })).toBeVisible();
  await expect(page.getByText("items of version 1 end at their planned end")).toBeVisible();
});

test.describe("a shared address", () => {
  test.use({ expectsRefusals: true });

  test("a shared product has a preview, and a removed one is not found", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const sellersPage = await anotherBrowser();
    await signedUp(sellersPage, server.url, "student");
    const id = await onSale(server, sellersPage, { productName: "Brass <b>lamp</b>" });
    const preview = await page.request.get(`/product/${id}`);
    expect(await preview.text()).toContain("<title>Brass &lt;b&gt;lamp&lt;/b&gt; · Wayfare</title>");
    await page.goto(`/product/${id}`);
    await expect(page).toHaveTitle("Brass <b>lamp</b> · Wayfare");
    // After a navigation, the tab is named after the new page.
    await page.getByRole("navigation").getByRole("link", { name: "Auctions" }).first().click();
    await expect(page).toHaveTitle("Auctions · Wayfare");

    const gone = await page.goto(`/product/${randomUUID()}`);
    expect(gone?.status()).toBe(404);
    await expect(page.getByText("Product not found!")).toBeVisible();
  });
});
