import { endsIn, onSale, openAsBidder, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { nameOf, signedUp } from "./people.ts";
import { openBell } from "./steps.ts";
import { expect, test } from "./story.ts";

// In these stories, a page refetches a product that was taken off sale, and is refused.
test.use({ expectsRefusals: true });
/** Ends and their results take some seconds. */
const longer = { timeout: 120_000 };

test("an auction ends while both watch, and winner, loser and seller are told", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const [bea, seller] = [await anotherBrowser(), await anotherBrowser()];
  const sellerPerson = await signedUp(seller, server.url, "agent");
  const desk = await onSale(server, seller);
  const winner = await openAsBidder(ada, server, desk);
  await openAsBidder(bea, server, desk);
  await placeBid(bea, "150");
  await expect(panel(bea).getByText("You're winning", { exact: true })).toBeVisible();
  await placeBid(ada, "300");
  await expect(panel(bea).getByText("You've been outbid", { exact: true })).toBeVisible();
  await expect(panel(bea).getByRole("timer")).toBeVisible();

  await endsIn(server, desk, 3_000);
  for (const page of [ada, bea]) {
    await expect(panel(page).getByText("Auction Ended", { exact: true })).toBeVisible(longer);
    await expect(panel(page).getByRole("button", { name: "Place bid" })).toHaveCount(0);
    await expect(panel(page).getByText("Sold for", { exact: true })).toBeVisible(longer);
  }
  await expect(panel(ada).getByText("You won", { exact: true })).toBeVisible();
  await expect(panel(ada).getByText(nameOf(sellerPerson), { exact: true })).toBeVisible();
  await expect(panel(ada).getByRole("link", { name: sellerPerson.email })).toBeVisible();
  await expect(panel(bea).getByText("You didn't win", { exact: true })).toBeVisible();
  await expect(panel(bea).getByText(sellerPerson.email)).toHaveCount(0);

  await expect((await openBell(ada)).getByText("You won Walnut writing desk")).toBeVisible();
  await expect((await openBell(bea)).getByText("You didn't win Walnut writing desk")).toBeVisible();
  await seller.goto(`/product/${desk}`);
  await expect(panel(seller).getByRole("link", { name: winner.email })).toBeVisible();
  await expect((await openBell(seller)).getByText("Sold: Walnut writing desk")).toBeVisible();
});

test("My bids follows the outcome of a bid, and says what to do", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const bea = await anotherBrowser();
  const desk = await sellAnItem(server, await anotherBrowser());
  await signedUp(ada, server.url, "student");
  await ada.goto("/my-bids");
  await expect(ada.getByText(/^No bids yet\./)).toBeVisible();
  await ada.goto(`/product/${desk}`);
  await placeBid(ada, "150");
  await expect(panel(ada).getByText("You're winning", { exact: true })).toBeVisible();
  await ada.goto("/my-bids");
  const winning = ada.getByRole("region", { name: "Winning" });
  await expect(winning.getByRole("link", { name: "Walnut writing desk" })).toBeVisible();

  await openAsBidder(bea, server, desk);
  await placeBid(bea, "200");
  const outbid = ada.getByRole("region", { name: "Outbid" });
  await outbid.getByRole("link", { name: "Bid again" }).click();
  await expect(ada).toHaveURL(`/product/${desk}`);
  await expect(panel(ada).getByLabel("Your bid")).toHaveValue("201");
});

test("My bids follows the viewer's own bids from another tab", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await signedUp(ada, server.url, "student");
  await ada.goto("/my-bids");
  await expect(ada.getByText(/^No bids yet\./)).toBeVisible();
  const other = await ada.context().newPage();
  await other.goto(`/product/${desk}`);
  await placeBid(other, "150");
  const row = ada.getByRole("listitem", { name: "Walnut writing desk" });
  await expect(row).toContainText("Your bid R150.00");
  await placeBid(other, "190");
  await expect(row).toContainText("Your bid R190.00");
});
