import { bids, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import { type Server, startServer } from "./server.ts";
import { expect, test } from "./story.ts";

let law: Server;
test.beforeAll(async () => {
  law = await startServer({ BID_WITHDRAWAL: "law" });
});
test.afterAll(() => law.stop());

test("a bidder withdraws under a law that allows it until the end, and the rules say so", async ({
  page,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(law, await anotherBrowser());
  await signedUp(page, law.url, "student");
  await page.goto(`${law.url}/product/${desk}`);
  // The starting bid can't be a slip.
  await placeBid(page, "150");
  await panel(page).getByRole("button", { name: "Withdraw my bids" }).click();
  const question = page.getByRole("dialog", { name: "Withdraw your bids?" });
  await expect(question).toContainText("None of your bids on this item counts any more");
  await expect(question.getByLabel("What I meant to bid")).toHaveCount(0);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(panel(page).getByText("You're winning", { exact: true })).toBeVisible();
  await panel(page).getByRole("button", { name: "Withdraw my bids" }).click();
  await question.getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(page.getByText("Your bids were withdrawn.", { exact: true })).toBeVisible();
  await expect(panel(page).getByText("Your bids don't count", { exact: true })).toBeVisible();
  await expect(bids(page).first()).toContainText("You withdrew your bids.");

  await page.getByRole("link", { name: /^Version \d+ of the rules$/ }).click();
  await expect(page.getByText("You can withdraw your bids on an item until its end.")).toBeVisible();
});
