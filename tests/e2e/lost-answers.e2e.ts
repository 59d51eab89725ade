import type { Page } from "@playwright/test";
import { bids, loseAnswer, openAsBidder, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

const place = { name: "Place bid" } as const;

/** Tells the page that it is visible, as a browser does when a screen is unlocked. */
const becomeVisible = (page: Page) =>
  page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");

test("a bid whose answer is lost is found by its key", async ({ page, server, anotherBrowser }) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  await page.route("**/rpc/auctions/bid", loseAnswer, { times: 1 });
  await panel(page).getByRole("button", place).click();
  await expect(page.getByText("Bid placed successfully!", { exact: true })).toBeVisible();
  await expect(bids(page)).toHaveText([/^You.*R150\.00/]);
  await expect(panel(page).getByLabel("Your bid")).toHaveValue("151");
});

test("a bid whose answer is lost is sent again, and counts once", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  await page.route("**/rpc/auctions/bid", loseAnswer, { times: 1 });
  await page.route("**/rpc/auctions/bidByKey", loseAnswer, { times: 1 });
  await panel(page).getByRole("button", place).click();
  await seeError(page, "Bid Error", "Failed to place bid. Please try again.", "unavailable");
  // The bid was accepted, and the page knows by now; the field keeps the sent amount.
  await expect(bids(page)).toHaveCount(1);
  await expect(panel(page).getByLabel("Your bid")).toHaveValue("150");
  await panel(page).getByRole("button", place).click();
  await expect(page.getByText("Bid placed successfully!", { exact: true })).toBeVisible();
  await expect(panel(page).getByLabel("Your bid")).toHaveValue("151");
  await expect(panel(page).getByText("1 bid", { exact: true })).toBeVisible();
});

test("a failure message is withdrawn once the page is visible again and the bid turns out to be placed", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  await page.route("**/rpc/auctions/bid", loseAnswer, { times: 1 });
  await page.route("**/rpc/auctions/bidByKey", loseAnswer, { times: 1 });
  await panel(page).getByRole("button", place).click();
  await expect(page.getByRole("dialog", { name: "Bid Error" })).toBeVisible();
  await becomeVisible(page);
  await expect(page.getByText("Bid placed successfully!", { exact: true })).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Bid Error" })).toHaveCount(0);
  await expect(panel(page).getByLabel("Your bid")).toHaveValue("151");
  await expect(page.getByRole("button", { name: "Save receipt" })).toBeVisible();
});

test("a phone that was locked while its bid was being sent learns the outcome", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  // The answer never arrives, and the request never fails.
  await page.route("**/rpc/auctions/bid", async (route) => void (await route.fetch()));
  await panel(page).getByRole("button", place).click();
  await expect(bids(page)).toHaveCount(1);
  await expect(panel(page).getByRole("button", { name: "Placing bid..." })).toBeVisible();
  await becomeVisible(page);
  await expect(page.getByText("Bid placed successfully!", { exact: true })).toBeVisible();
  await expect(panel(page).getByRole("button", place)).toBeEnabled();
});

test("a stop that may have arrived is sent again under its key", async ({ page, server, anotherBrowser }) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  await panel(page).getByLabel("Bid for me up to").check();
  await panel(page).getByLabel("Your limit").fill("500");
  await panel(page).getByRole("button", { name: "Place bid" }).click();
  await expect(panel(page).getByText("We bid for you up to R500.00.")).toBeVisible();
  const keys: unknown[] = [];
  await page.route("**/rpc/auctions/bid", async (route) => {
    keys.push(Object(Object(route.request().postDataJSON()).json).idempotencyKey);
    if (keys.length > 1) return await route.continue();
    await route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" });
  });
  const stop = async () => {
    await panel(page).getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop", exact: true }).click();
  };
  await stop();
  await page.getByRole("dialog", { name: "Bid Error" }).getByRole("button", { name: "OK" }).click();
  await stop();
  await expect(panel(page).getByText("We bid for you up to")).toHaveCount(0);
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

test("a bidder gets a receipt of the bid in place of a slip, even if the answer is lost", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(ada, server, desk);
  await placeBid(ada, "2500");
  await ada.getByRole("dialog").getByRole("button", { name: /^Bid/ }).click();
  await expect(bids(ada)).toHaveCount(1);
  await panel(ada).getByRole("button", { name: "Withdraw my bids" }).click();
  await ada.getByLabel("What I meant to bid").fill("250");
  await ada.route("**/rpc/sales/withdrawBids", loseAnswer, { times: 1 });
  await ada.getByRole("dialog").getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(ada.getByText("Your bids were withdrawn. You bid R250.00 instead.")).toBeVisible();
  await expect(ada.getByRole("button", { name: "Save 2 receipts" })).toBeVisible();
  await ada.getByRole("button", { name: "Check this history" }).click();
  await expect(ada.getByText("The receipt of row 3 is in this history, unbroken")).toBeVisible();
});
