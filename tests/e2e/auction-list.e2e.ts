import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { cards, offered, searchBox } from "./auction-list-steps.ts";
import { call } from "./call.ts";
import { hold, holdTimersUntilPress } from "./hold.ts";
import { signedUp } from "./people.ts";
import type { Server } from "./server.ts";
import { isHydrated, results } from "./steps.ts";
import { expect, test } from "./story.ts";

/** Creates 30 vases from R100 on, the dearer ones ending sooner; returns the common part of their names. */
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

test("the list is sorted by price or end, a page at a time, without duplicates", async ({
  page,
  server,
  anotherBrowser,
}) => {
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

test("the last of 30 cards follows its bids once scrolled to, and the first does again later", async ({
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
    const bidRequest = { productId: href?.split("/").at(-1), amount, idempotencyKey: randomUUID() };
    await call(bidder.request, server.url, "auctions/bid", bidRequest);
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

test("the list's head stays in place for every viewer", async ({ page, anotherBrowser, server }) => {
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

test("an item that is pressed while a search is typed opens, however late its code arrives", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const mark = await offered(server, await anotherBrowser(), [{ productName: "Nokia phone" }]);
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
