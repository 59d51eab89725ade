import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { auctionBid } from "#server/features/auctions/tables.ts";
import { bids, inDatabase, openAsBidder, placeBid, sellAnItem } from "./auctioneer.ts";
import { accountMenu } from "./steps.ts";
import { expect, test } from "./story.ts";

test("a bidder saves a receipt and checks the history with it; an altered row is found", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const bea = await anotherBrowser();
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(ada, server, desk);
  await openAsBidder(bea, server, desk);
  await ada.getByText("Bid for me up to", { exact: true }).click();
  await ada.getByLabel("Your limit").fill("500");
  await ada.getByRole("button", { name: "Place bid" }).click();
  await expect(bids(ada)).toHaveText(/^You.*R150\.00$/);
  await placeBid(bea, "200");
  await expect(bids(ada)).toHaveCount(3);

  const saved = ada.waitForEvent("download");
  await ada.getByRole("button", { name: "Save receipt" }).click();
  const file = await (await saved).path();
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
    receipts: [{ productId: desk, number: 1, limit: 50_000 }],
  });

  await ada.getByRole("button", { name: "Check this history" }).click();
  await expect(ada.getByText("All 3 rows hold, none is missing, and this site has signed")).toBeVisible();
  const receipt = "The receipt of row 1 is in this history, unbroken, and no automatic bid went beyond";
  await expect(ada.getByText(receipt)).toBeVisible();

  // The next day the browser still has the receipt, but only the file has the limit.
  await ada.reload();
  await ada.getByRole("button", { name: "Check this history" }).click();
  await expect(ada.getByText("All 3 rows hold")).toBeVisible();
  await expect(ada.getByText("The receipt of row 1 is in this history, unbroken.")).toBeVisible();
  await expect(ada.getByText(receipt)).toHaveCount(0);
  const storage = await ada.evaluate("Object.values(localStorage).join()");
  expect(storage).toContain(desk);
  expect(storage).not.toMatch(/\b50000\b/);
  await ada.getByText("Check a saved receipt").click();
  await ada.getByLabel("Receipt file").setInputFiles(file);
  await expect(ada.getByText(receipt)).toBeVisible();

  await inDatabase(server, ({ services: { database } }) =>
    database.db.update(auctionBid).set({ amount: 21_000 }).where(sql`product_id = ${desk} and number = 2`),
  );
  await ada.getByRole("button", { name: "Check again" }).click();
  await expect(ada.getByText("Row 2 is wrong: its hash does not fit what it says")).toBeVisible();

  await ada.getByRole("banner").getByRole("button", { name: /@/ }).click();
  await accountMenu(ada).getByRole("button", { name: "Logout" }).click();
  await expect(ada).toHaveURL("/");
  expect(await ada.evaluate("Object.values(localStorage).join()")).not.toContain(desk);
});
