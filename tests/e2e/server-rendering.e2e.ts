import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { bids, onSale, openAsBidder, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { hold } from "./hold.ts";
import { signedUp } from "./people.ts";
import { expect, test } from "./story.ts";

const cards = (page: Page) => page.getByRole("list", { name: "Open auctions" }).getByRole("listitem");
/** Waits for the code that loads last. */
const allIsLoaded = (page: Page) => expect(page.getByRole("status", { name: "Connection" })).toBeAttached();

test("without JavaScript the auctions are listed, and each links to its page", async ({
  browser,
  server,
  anotherBrowser,
}) => {
  const sellersPage = await anotherBrowser();
  await signedUp(sellersPage, server.url, "student");
  const productName = `Brass lamp ${randomUUID().slice(0, 8)}`;
  await onSale(server, sellersPage, { productName });
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  await page.goto("/auctions?sort=newest");
  const card = cards(page).filter({ hasText: productName });
  await expect(card).toHaveText(/Brass lamp.*R150\.00.*No bids yet.*left/);
  await card.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: productName })).toBeVisible();
  await expect(panel(page).getByText("R150.00").first()).toBeVisible();
  await panel(page).getByRole("link", { name: "Log in to bid" }).click();
  await expect(page).toHaveURL(/\/login\?next=%2Fproduct%2F/);
  await context.close();
});

test("a page's own data is not fetched again", async ({ page, server, anotherBrowser }) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await page.goto("/auctions?sort=newest");
  await allIsLoaded(page);
  await expect(cards(page).first()).toBeVisible();
  // The viewer is requested as early as a list would be.
  expect(paths).toContain("/rpc/account/me");
  expect(paths).not.toContain("/rpc/auctions/list");
  await page.goto(`/product/${desk}`);
  await expect(page.getByRole("heading", { name: "Walnut writing desk" })).toBeVisible();
  const bidder = await anotherBrowser();
  await openAsBidder(bidder, server, desk);
  await placeBid(bidder, "175");
  await expect(bids(page)).toHaveText([/R175\.00/]);
});

test("changes made while the code was loading are caught up with", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  const letGo = await hold(page, "**/assets/*.js");
  await page.goto(`/product/${desk}`, { waitUntil: "commit" });
  await expect(panel(page).getByText("0 bids", { exact: true })).toBeVisible();
  const bidder = await anotherBrowser();
  await openAsBidder(bidder, server, desk);
  await placeBid(bidder, "200");
  await expect(bids(bidder)).toHaveCount(1);
  letGo();
  await expect(panel(page).getByText("1 bid", { exact: true })).toBeVisible();
  await expect(bids(page)).toHaveText([/R200\.00/]);
});

test("a page that the browser had kept refetches", async ({ page, server, anotherBrowser }) => {
  const sellersPage = await anotherBrowser();
  await signedUp(sellersPage, server.url, "student");
  const mark = randomUUID().slice(0, 8);
  await onSale(server, sellersPage, { productName: `Lamp ${mark}` });
  await page.goto(`/auctions?search=${mark}`);
  await expect(cards(page)).toHaveCount(1);
  await allIsLoaded(page);
  await page.goto("/terms");
  await onSale(server, sellersPage, { productName: `Table ${mark}` });
  await page.goBack();
  await expect(cards(page)).toHaveCount(2);
});

test("a signed-in user can bid as soon as the code is loaded", async ({ page, server, anotherBrowser }) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  await expect(panel(page).getByLabel("Your bid")).toHaveValue("150");
  await page.reload();
  await expect(panel(page).getByLabel("Your bid")).toHaveValue("150");
});
