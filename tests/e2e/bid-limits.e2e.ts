import { bids, endsIn, onSale, openAsBidder, panel, placeBid } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import { expect, test } from "./story.ts";

test("a limit answers a rival immediately, stays its owner's secret, and is raised and stopped", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const bea = await anotherBrowser();
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const desk = await onSale(server, seller);
  await openAsBidder(ada, server, desk);
  await openAsBidder(bea, server, desk);

  await panel(ada).getByLabel("Bid for me up to").check();
  await panel(ada).getByLabel("Your limit").fill("500");
  await panel(ada).getByRole("button", { name: "Place bid" }).click();
  await expect(panel(ada).getByText("We bid for you up to R500.00. Only you see this.")).toBeVisible();
  await expect(bids(bea)).toHaveText(/^A\*\*\*i.*automatic.*R150\.00$/);

  await placeBid(bea, "200");
  const beaten = "Your bid was placed, but another bidder's automatic bid is higher. It now takes R202.00.";
  await expect(bea.getByText(beaten, { exact: true })).toBeVisible();
  await expect(panel(bea).getByText("You've been outbid", { exact: true })).toBeVisible();
  await expect(panel(ada).getByText("You're winning", { exact: true })).toBeVisible();
  await expect(bids(bea)).toHaveText([/automatic.*R201\.00$/, /^You.*R200\.00$/, /R150\.00$/]);
  for (const page of [bea, seller]) {
    await page.goto(`/product/${desk}`);
    await expect(panel(page).getByText("R201.00", { exact: true })).toBeVisible();
    await expect(page.getByText("R500")).toHaveCount(0);
  }

  await panel(ada).getByLabel("Your limit").fill("800");
  await panel(ada).getByRole("button", { name: "Place bid" }).click();
  await expect(panel(ada).getByText("We bid for you up to R800.00.")).toBeVisible();
  await expect(bids(ada)).toHaveCount(3);
  await panel(ada).getByRole("button", { name: "Stop", exact: true }).click();
  const question = ada.getByRole("dialog", { name: "Stop bidding for you?" });
  await expect(question.getByText("Your bid of R201.00 stays.")).toBeVisible();
  await placeBid(bea, "300");
  await expect(question.getByText("Your bid of R301.00 stays.")).toBeVisible();
  await question.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(panel(ada).getByText("We bid for you up to")).toHaveCount(0);
  // A page whose price has just changed asks for confirmation; a reloaded one doesn't.
  await bea.goto(`/product/${desk}`);
  await placeBid(bea, "302");
  await expect(panel(bea).getByText("You're winning", { exact: true })).toBeVisible();
});

test("a late bid extends an auction, and both bidders see the new end", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const bea = await anotherBrowser();
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const desk = await onSale(server, seller, {
    softClose: true,
    endDate: new Date(Date.now() + 60 * 60_000),
  });
  await openAsBidder(ada, server, desk);
  await openAsBidder(bea, server, desk);
  await expect(panel(ada).getByText("A bid in the last 2 minutes extends it.")).toBeVisible();
  await endsIn(server, desk, 100_000);
  await expect(panel(ada).getByText(/^0h 01m/)).toBeVisible();
  await placeBid(ada, "150");
  for (const page of [ada, bea]) await expect(panel(page).getByRole("timer")).toHaveText(/^0h 0(2m 00|1m 5)/);
});
