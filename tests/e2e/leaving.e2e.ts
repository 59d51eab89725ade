import { bids, endsIn, onSale, openAsBidder, panel, placeBid } from "./auctioneer.ts";
import { signedInAsAdmin, signedUp } from "./people.ts";
import { openTab } from "./steps.ts";
import { expect, test } from "./story.ts";

test("a bidder who leaves is bound by the bid, an admin shuts them out, and the page says which bids count", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const [bea, seller, admin] = [await anotherBrowser(), await anotherBrowser(), await anotherBrowser()];
  await signedUp(seller, server.url, "student");
  const desk = await onSale(server, seller, { productName: "A brass telescope" });
  await openAsBidder(bea, server, desk);
  await placeBid(bea, "220");
  await expect(bids(bea)).toHaveCount(1);
  const leaver = await openAsBidder(ada, server, desk);
  await placeBid(ada, "670");
  await expect(bids(ada)).toHaveCount(2);

  await ada.goto("/your-data");
  await ada.getByRole("main").getByRole("button", { name: "Delete my account" }).click();
  const question = ada.getByRole("dialog");
  await expect(question.getByText(/Your bids stand until their auctions close/)).toBeVisible();
  await question.getByRole("button", { name: "Delete my account" }).click();
  await expect(ada.getByText(/A brass telescope: your bid stands until the auction closes/)).toBeVisible();

  await signedInAsAdmin(admin, server.url);
  const search = `search=${encodeURIComponent(leaver.email)}`;
  await admin.goto(`/manage-students?${search}`);
  await expect(admin.getByText(/^Leaving, erased on /)).toBeVisible();
  await admin.goto(`/admin/accounts?${search}`);
  await expect(admin.getByText(/^Leaving, erased on /)).toBeVisible();
  await expect(admin.getByRole("button", { name: /^Enable/ })).toHaveCount(0);
  await admin.getByRole("button", { name: /^Disable/ }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(admin.getByText(/^Disabled, erased on /)).toBeVisible();

  await expect(bids(bea).first()).toContainText("doesn't count");
  await endsIn(server, desk, 0);
  await expect(panel(bea).getByText("Sold for", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(panel(bea).getByText("R220.00", { exact: true })).toBeVisible();
  await expect(panel(bea).getByText(/^A crossed-out bid doesn't count/)).toBeVisible();
});

test("an agent who leaves is listed as leaving, and can be denied", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const admin = await anotherBrowser();
  const agent = await signedUp(page, server.url, "agent");
  await page.goto("/your-data");
  await page.getByRole("main").getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByText(/^Your account will be deleted on /)).toBeVisible();
  await signedInAsAdmin(admin, server.url);
  await admin.goto(`/admin-dashboard?search=${encodeURIComponent(agent.email)}`);
  await openTab(admin, "Revoked and denied");
  const card = admin.getByRole("article").filter({ hasText: agent.email });
  await expect(card.getByText(/^Leaving, erased on /)).toBeVisible();
  await card.getByRole("button", { name: "Deny" }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Deny" }).click();
  await expect(card.getByText(/^Denied$/)).toBeVisible();
});
