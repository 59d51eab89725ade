import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { centsPerRand, highestAmount } from "#domain/money.ts";
import { auctionBidding } from "#server/features/auctions/tables.ts";
import { bids, inDatabase, onSale, openAsBidder, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { call } from "./call.ts";
import { signedUp } from "./people.ts";
import type { Server } from "./server.ts";
import { seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

const field = (page: Page) => panel(page).getByLabel("Your bid");
const press = (page: Page) => panel(page).getByRole("button", { name: "Place bid" }).click();
const question = (page: Page, title: string) => page.getByRole("dialog", { name: title });
const answer = (page: Page, title: string, name: string) =>
  question(page, title).getByRole("button", { name }).click();

/** Bids as the person signed in at this page's browser, without using the page. */
const bidAt = (page: Page, { url }: Server, productId: string, rand: number) =>
  call(page.request, url, "auctions/bid", {
    productId,
    amount: rand * centsPerRand,
    idempotencyKey: randomUUID(),
  });

test("an amount that has just changed automatically is asked about, not bid", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const rival = await anotherBrowser();
  const desk = await sellAnItem(server, await anotherBrowser());
  await signedUp(rival, server.url, "student");
  await page.clock.install();
  await openAsBidder(page, server, desk);
  await expect(field(page)).toHaveValue("150");

  await page.clock.pauseAt(Date.now() + 60_000);
  await bidAt(rival, server, desk, 5000);
  // The page's clock stands still, except for the time needed to show the change.
  await expect(async () => {
    await page.clock.runFor(1);
    await expect(field(page)).toHaveValue("5001", { timeout: 50 });
  }).toPass();
  await press(page);
  await expect(question(page, "Bid R5,001.00?")).toContainText("The price has just changed to R5,000.00.");
  await answer(page, "Bid R5,001.00?", "Cancel");
  await expect(bids(page)).toHaveCount(1);

  await page.clock.runFor(1_000);
  await page.clock.resume();
  await press(page);
  await expect(panel(page).getByText("You're winning", { exact: true })).toBeVisible();
  await expect(bids(page).first()).toHaveText(/^You.*R5,001\.00$/);
});

test("an amount that was typed never moves, even if it was the least", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const rival = await anotherBrowser();
  const desk = await sellAnItem(server, await anotherBrowser());
  await signedUp(rival, server.url, "student");
  await openAsBidder(page, server, desk);
  await field(page).clear();
  await field(page).fill("150");
  await bidAt(rival, server, desk, 160);
  await expect(panel(page).getByText("At least R161.00")).toBeVisible();
  await expect(field(page)).toHaveValue("150");

  await press(page);
  await seeError(page, "Bid Error", "Your bid must be at least R161.00.", "out-of-range");
  await bidAt(rival, server, desk, 200);
  // The message next to the field follows the price.
  await expect(panel(page).getByText("Your bid must be at least R201.00.")).toBeVisible();
  await expect(panel(page).getByText(/^At least R201\.00/)).toBeVisible();
  await expect(panel(page).getByText("R161.00")).toHaveCount(0);
});

test("a bid far above the price is asked about, with the amount as it was understood", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  await field(page).fill("2 200,50");
  await expect(panel(page).getByText("= R2,200.50")).toBeVisible();
  await press(page);
  await expect(question(page, "Bid R2,200.50?")).toContainText(
    "at least 10 times the current price of R150.00",
  );
  await answer(page, "Bid R2,200.50?", "Cancel");
  await expect(panel(page).getByText("0 bids", { exact: true })).toBeVisible();
  await expect(field(page)).toHaveValue("2 200,50");

  await press(page);
  await answer(page, "Bid R2,200.50?", "Bid R2,200.50");
  await expect(bids(page)).toHaveText(/^You.*R2,200\.50$/);
});

test("no amount above the highest possible bid is proposed", async ({ page, server, anotherBrowser }) => {
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const dear = await onSale(server, seller, { startingBid: 1_000_100 });
  const dearest = await onSale(server, seller);
  await inDatabase(server, ({ services: { database } }) =>
    database.db
      .update(auctionBidding)
      .set({ price: highestAmount, bidCount: 1, highestBidderId: "somebody" })
      .where(eq(auctionBidding.productId, dearest)),
  );
  await openAsBidder(page, server, dear);
  await expect(panel(page)).toContainText(
    "Until you verify your email address, you can bid up to R10,000.00.",
  );
  await expect(field(page)).toHaveCount(0);
  await page.goto(`/product/${dearest}`);
  await expect(panel(page)).toContainText("No higher bid is possible.");
  await expect(panel(page).getByRole("button", { name: "Place bid" })).toHaveCount(0);
});

test.describe("before the email address is verified", () => {
  test.use({ expectsRefusals: true });

  test("the limit is shown beside the least bid, and a bid above it is refused without asking", async ({
    page,
    server,
    anotherBrowser,
    mailedLink,
  }) => {
    const desk = await sellAnItem(server, await anotherBrowser());
    const person = await openAsBidder(page, server, desk);
    await expect(panel(page)).toContainText(
      "At least R150.00, and up to R10,000.00 until you verify your email address",
    );
    await placeBid(page, "10001");
    const refusal = /^Until you verify your email address, you can bid up to R10,000\.00\./;
    await expect(page.getByRole("dialog", { name: "Bid Error" })).toContainText(
      "you can bid up to R10,000.00",
    );
    await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
    await expect(panel(page).getByText(refusal)).toBeVisible();
    await page.getByRole("region", { name: "Email verification" }).getByRole("button").click();

    const mailbox = await page.context().newPage();
    await mailbox.goto(await mailedLink(person.email, /./));
    await expect(mailbox.getByText("Your email address is verified")).toBeVisible();
    // The page asks only once it has learnt of the verification too.
    await expect(page.getByRole("region", { name: "Email verification" })).toHaveCount(0);
    await press(page);
    await answer(page, "Bid R10,001.00?", "Bid R10,001.00");
    await expect(bids(page)).toHaveText(/^You.*R10,001\.00$/);
  });
});
