import { randomUUID } from "node:crypto";
import { centsPerRand } from "#domain/money.ts";
import { bids, onSale, openAsBidder, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { call } from "./call.ts";
import { signedUp } from "./people.ts";
import { fillLogin, hasStyles, loginButton, seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

const place = { name: "Place bid" } as const;

test("two people bid against each other and both see it live", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const bea = await anotherBrowser();
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(ada, server, desk);
  await openAsBidder(bea, server, desk);
  for (const page of [ada, bea]) {
    await expect(panel(page).getByLabel("Your bid")).toHaveValue("150");
    // The mark is still there at the end if the page was never reloaded.
    await page.evaluate('document.body.setAttribute("data-first-load", "")');
  }

  await panel(ada).getByRole("button", place).click();
  await expect(ada.getByText("Bid placed successfully!", { exact: true })).toBeVisible();
  await expect(panel(ada).getByText("You're winning", { exact: true })).toBeVisible();
  await expect(bids(bea)).toHaveText(/^A\*\*\*i.*R150\.00$/);
  await expect(panel(bea).getByText("1 bid", { exact: true })).toBeVisible();
  await expect(panel(bea).getByLabel("Your bid")).toHaveValue("151");

  await panel(ada).getByLabel("Your bid").fill("500");
  await placeBid(bea, "R 1,200.50");
  await expect(panel(bea).getByText("You're winning", { exact: true })).toBeVisible();
  await expect(panel(ada).getByText("You've been outbid", { exact: true })).toBeVisible();
  await expect(panel(ada).getByText("2 bids", { exact: true })).toBeVisible();
  await expect(panel(ada).getByText("At least R1,201.50")).toBeVisible();
  // The page never changes a typed amount.
  await expect(panel(ada).getByLabel("Your bid")).toHaveValue("500");
  await expect(bids(ada)).toHaveText([/^A\*\*\*i.*R1,200\.50$/, /^You.*R150\.00$/]);
  await expect(bids(bea)).toHaveText([/^You.*R1,200\.50$/, /^A\*\*\*i.*R150\.00$/]);

  for (const page of [ada, bea]) await expect(page.locator("body[data-first-load]")).toBeVisible();
});

test("the seller watches, sees who bids, and can't bid", async ({ page: seller, server, anotherBrowser }) => {
  await signedUp(seller, server.url, "student");
  const desk = await onSale(server, seller);
  await seller.goto(`/product/${desk}`);
  await expect(panel(seller).getByText("Your product", { exact: true })).toBeVisible();
  const ada = await anotherBrowser();
  await openAsBidder(ada, server, desk);
  await placeBid(ada, "175");
  await expect(bids(seller)).toHaveText(/^Ada Obi.*R175\.00$/);
  await expect(seller.getByRole("button", place)).toHaveCount(0);
});

test("a visitor looks, logs in to bid and is brought back", async ({ page, server, anotherBrowser }) => {
  const [elsewhere, sellersPage] = [await anotherBrowser(), await anotherBrowser()];
  const person = await signedUp(elsewhere, server.url, "student");
  const desk = await sellAnItem(server, sellersPage);
  await page.goto(`/product/${desk}`);
  await expect(page.getByRole("heading", { name: "Walnut writing desk" })).toBeVisible();
  await panel(page).getByRole("link", { name: "Log in to bid" }).click();
  await expect(page.getByText("You must be logged in to place a bid.", { exact: true })).toBeVisible();
  await expect(loginButton(page)).toBeEnabled();
  await fillLogin(page, person);
  await expect(page).toHaveURL(`/product/${desk}`);
  await expect(panel(page)).toBeVisible();
  await hasStyles(page);
  await placeBid(page, "150");
  await expect(panel(page).getByText("You're winning", { exact: true })).toBeVisible();
});

test("an amount that can't be bid is explained and kept", async ({ page, server, anotherBrowser }) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  const refused: [string, string, string][] = [
    ["149.99", "Your bid must be at least R150.00.", "out-of-range"],
    ["a lot", "Please enter the amount as a number, such as 1250 or 1250.50.", "invalid-argument"],
    ["$ 200", "Amounts are in rand (R). Please leave out other currency signs.", "invalid-argument"],
    ["-200", "An amount can't be negative.", "invalid-argument"],
    ["200.005", "Please enter at most two decimals: rand and cents.", "invalid-argument"],
    ["999999999999", "Your bid can be at most R100,000,000.00.", "out-of-range"],
  ];
  for (const [amount, message, code] of refused) {
    await placeBid(page, amount);
    await seeError(page, "Bid Error", message, code);
    await expect(panel(page).getByLabel("Your bid")).toHaveValue(amount);
    await expect(panel(page).getByLabel("Your bid")).toBeFocused();
  }
  await expect(panel(page).getByText("0 bids", { exact: true })).toBeVisible();
});

test("older bids are shown after one press", async ({ page, server, anotherBrowser }) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  for (const rand of Array.from({ length: 22 }, (_, place) => 150 + place))
    await call(page.request, server.url, "auctions/bid", {
      productId: desk,
      amount: rand * centsPerRand,
      idempotencyKey: randomUUID(),
    });
  await page.reload();
  await expect(bids(page)).toHaveCount(20);
  const showOlder = page.getByRole("button", { name: "Show older" });
  await showOlder.click();
  await expect(bids(page)).toHaveCount(22);
  await expect(bids(page).last()).toHaveText(/R150\.00$/);
  await expect(showOlder).toHaveCount(0);
  // Later bids push none of these out.
  await placeBid(page, "500");
  await expect(bids(page).first()).toHaveText(/R500\.00$/);
  await expect(bids(page)).toHaveCount(23);
});

test.describe("an address without a product", () => {
  test.use({ expectsRefusals: true });

  test("says so, with a link to the auctions", async ({ page }) => {
    const response = await page.goto("/product/4f1c");
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Product not found!" })).toBeVisible();
    await page.getByRole("link", { name: "See open auctions" }).click();
    await expect(page).toHaveURL("/auctions");
  });
});
