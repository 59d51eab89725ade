import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { onSale } from "./auctioneer.ts";
import { call } from "./call.ts";
import { hold, holdTimersUntilPress } from "./hold.ts";
import { signedUp } from "./people.ts";
import type { Server } from "./server.ts";
import { isHydrated, results } from "./steps.ts";
import { expect, test } from "./story.ts";

const cards = (page: Page): Locator =>
  page.getByRole("list", { name: "Open auctions" }).getByRole("listitem");
const searchBox = (page: Page): Locator => page.getByRole("searchbox", { name: "Search auctions" });
const chips = (page: Page): Locator => page.getByRole("list", { name: "Filters in use" });

type Offer = NonNullable<Parameters<typeof onSale>[2]>;

/** Creates products whose names nobody else uses; returns the common part of the names. */
async function offered(server: Server, sellersPage: Page, offers: readonly Offer[]): Promise<string> {
  await signedUp(sellersPage, server.url, "student");
  const mark = randomUUID().slice(0, 8);
  const sell = (offer: Offer) =>
    onSale(server, sellersPage, { ...offer, productName: `${offer.productName} ${mark}` });
  await Promise.all(offers.map(sell));
  return mark;
}

const phone = { category: "electronics", subcategory: "Phones", grade: "New" } as const;
const shoes = { category: "fashion", subcategory: "Shoes" } as const;

test("an item is found by a part of its name, its category and its grade; a reload brings the same", async ({
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

test("words typed right after the filters are cleared are searched for", async ({ page }) => {
  await page.goto("/auctions?search=no+such+thing");
  await isHydrated(page);
  await expect(page.getByRole("button", { name: "Clear filters" })).toBeVisible();
  // Both happen in one task, before the page shows that the filters are cleared.
  await page.evaluate(`
    [...document.querySelectorAll("button")].find((each) => each.innerText === "Clear filters").click();
    document.querySelector("input[type=search]").select();
    document.execCommand("insertText", false, "nothing like it");
  `);
  await expect(page).toHaveURL(/search=nothing\+like\+it/);
  await expect(page.getByRole("searchbox", { name: "Search auctions" })).toHaveValue("nothing like it");
});

test("a visitor who clears the filters of an empty list sees that the list loads", async ({ page }) => {
  await page.goto("/auctions?search=no+such+thing");
  const nothing = page.getByRole("heading", { name: "Nothing found" });
  await expect(nothing).toBeVisible();
  const answer = await hold(page, "**/rpc/auctions/list*");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("region", { name: "Loading auctions" })).toBeVisible();
  await expect(nothing).toHaveCount(0);
  answer();
  await expect(page.getByRole("region", { name: "Loading auctions" })).toHaveCount(0);
});

test("a corrected search says so, and the best matches come first", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const offers = [
    { productName: "Desk, with a theremin hole", endDate: new Date(Date.now() + 3_600_000) },
    { productName: "Theremin" },
  ];
  await offered(server, await anotherBrowser(), offers);
  await page.goto("/auctions?search=theremni");
  await expect(results(page)).toHaveText("No exact matches for “theremni”. Showing “theremin”. 2 auctions");
  await expect(page.getByLabel("Sort by")).toHaveValue("bestMatch");
  await expect(cards(page).first()).toContainText(/^Theremin/);
  await page.getByLabel("Sort by").selectOption("Ending soonest");
  await expect(cards(page).first()).toContainText("Desk");
  await searchBox(page).clear();
  await expect(page.getByLabel("Sort by").getByRole("option", { name: "Best match" })).toHaveCount(0);
});

/** Creates 30 vases from R100 on, of which the dearer end sooner; returns the common part of their names. */
const thirtyVases = (server: Server, sellersPage: Page): Promise<string> =>
  offered(
    server,
    sellersPage,
    Array.from({ length: 30 }, (_, at) => ({
      productName: `Vase number ${at + 1}`,
      startingBid: 10_000 + at * 100,
      endDate: new Date(Date.now() + (100 - at) * 3_600_000),
    })),
  );

test("by price or end, a page at a time, without one twice", async ({ page, server, anotherBrowser }) => {
  const mark = await thirtyVases(server, await anotherBrowser());
  await page.goto(`/auctions?search=${mark}`);
  await expect(cards(page)).toHaveCount(24);
  await expect(results(page)).toHaveText("More than 24 auctions");
  await expect(cards(page).first()).toContainText("Vase number 30");
  await page.getByLabel("Sort by").selectOption("Price: low to high");
  await expect(cards(page).first()).toContainText("R100.00");
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(cards(page)).toHaveCount(30);
  await expect(results(page)).toHaveText("30 auctions");
  await expect(cards(page).last()).toContainText("R129.00");
  await expect(page.getByRole("button", { name: "Show more" })).toHaveCount(0);
  const names = await cards(page).getByRole("heading").allTextContents();
  expect(new Set(names).size).toBe(30);
  await page.getByLabel("Sort by").selectOption("Price: high to low");
  await expect(cards(page).first()).toContainText("R129.00");
  await expect(page).toHaveURL(/sort=priceDown/);
});

test("the last of 30 cards follows its bids once it is scrolled to, and then the first does again", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const mark = await thirtyVases(server, await anotherBrowser());
  const bidder = await anotherBrowser();
  await signedUp(bidder, server.url, "student");
  await page.goto(`/auctions?search=${mark}`);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(cards(page)).toHaveCount(30);
  const bid = async (card: Locator, amount: number) => {
    const href = await card.getByRole("link").getAttribute("href");
    const wish = { productId: href?.split("/").at(-1), amount, idempotencyKey: randomUUID() };
    await call(bidder.request, server.url, "auctions/bid", wish);
  };
  const [first, last] = [cards(page).first(), cards(page).last()];
  await last.scrollIntoViewIfNeeded();
  await expect(first).not.toBeInViewport();
  await bid(last, 50_000);
  await expect(last).toContainText(/R500\.00.*1 bid/);
  await bid(first, 60_000);
  await first.scrollIntoViewIfNeeded();
  await expect(first).toContainText(/R600\.00.*1 bid/);
});

test("the time left runs down to its end", async ({ page, server, anotherBrowser }) => {
  const endDate = new Date(Date.now() + 60 * 60_000);
  const mark = await offered(server, await anotherBrowser(), [{ productName: "Last call", endDate }]);
  await page.clock.install();
  await page.goto(`/auctions?search=${mark}`);
  await expect(cards(page)).toContainText([/0h 5\dm \d\ds left/]);
  // An answer of the server would take the page back to the present.
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

test("the list's head stays where it is, whoever looks", async ({ page, anotherBrowser, server }) => {
  const member = await anotherBrowser();
  await signedUp(member, server.url, "student");
  for (const width of [390, 768, 1024, 1440]) {
    const placeFor = async (anyone: Page) => {
      await anyone.setViewportSize({ width, height: 900 });
      await anyone.goto("/auctions");
      await expect(anyone.getByRole("link", { name: "My products" })).toHaveCount(anyone === member ? 1 : 0);
      const names = ["Sell an item", "What each grade means"];
      return await Promise.all(names.map((name) => anyone.getByRole("link", { name }).boundingBox()));
    };
    expect(await placeFor(member)).toEqual(await placeFor(page));
  }
});

test("the grading guide says what each of the five grades promises", async ({ page }) => {
  await page.goto("/auctions");
  await page.getByRole("link", { name: "What each grade means" }).click();
  const rows = page.getByRole("rowheader");
  await expect(rows).toHaveText(["New", "Grade A+", "Grade A", "Grade B", "Grade C"]);
  await expect(page.getByRole("row", { name: /^New/ }).getByText("Works as new.")).toBeVisible();
});

test("an item's details lead a visitor to the rules that it goes by", async ({
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

  test("it previews the product, and one that is gone is not found", async ({
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
    // After a navigation, the tab is named after the next page.
    await page.getByRole("navigation").getByRole("link", { name: "Auctions" }).first().click();
    await expect(page).toHaveTitle("Auctions · Wayfare");

    const gone = await page.goto(`/product/${randomUUID()}`);
    expect(gone?.status()).toBe(404);
    await expect(page.getByText("Product not found!")).toBeVisible();
  });
});

test("an item that is pressed while a search is typed opens, however late its code comes", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const mark = await offered(server, await anotherBrowser(), [{ ...phone, productName: "Nokia phone" }]);
  const letGo = await hold(page, /\/assets\/product-(?!list|picture)[\w-]+\.js$/);
  await page.goto("/auctions");
  await searchBox(page).fill(mark);
  await expect(cards(page)).toContainText([`Nokia phone ${mark}`]);
  await holdTimersUntilPress(page);
  await searchBox(page).fill(`${mark} nok`);
  // This also ends the pause before a typed search starts.
  await page.getByRole("link", { name: `Nokia phone ${mark}` }).click();
  letGo();
  await expect(page).toHaveURL(/\/product\//);
  await expect(page.getByRole("heading", { name: `Nokia phone ${mark}` })).toBeVisible();
});
