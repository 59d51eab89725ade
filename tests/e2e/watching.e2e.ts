import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { eq, sql } from "drizzle-orm";
import { auctionWatch } from "#server/features/auctions/watching/tables.ts";
import { endsIn, inDatabase, onSale } from "./auctioneer.ts";
import { call } from "./call.ts";
import { idAt, signedUp } from "./people.ts";
import type { Server } from "./server.ts";
import { isHydrated, results } from "./steps.ts";
import { expect, test } from "./story.ts";

const cards = (page: Page): Locator =>
  page.getByRole("list", { name: "Open auctions" }).getByRole("listitem");
const minute = 60_000;

/** Puts an item with a unique name on sale; returns its id and its name. */
async function offered(server: Server, sellersPage: Page, name: string) {
  await signedUp(sellersPage, server.url, "student");
  const productName = `${name} ${randomUUID().slice(0, 8)}`;
  return { id: await onSale(server, sellersPage, { productName }), productName };
}

/** Makes the server run a job now that it plans every minute, or that an upload queues. */
const runJob = (server: Server, name: string, data: object | null) =>
  inDatabase(server, ({ services: { database } }) =>
    database.db.execute(sql`
      insert into jobs.job (id, name, data, policy)
      values (${randomUUID()}, ${name}, ${JSON.stringify(data)}::jsonb, 'standard')`),
  );

test("a watcher finds the item in My bids, and is told before it ends", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const sellersPage = await anotherBrowser();
  const { id, productName } = await offered(server, sellersPage, "Brass telescope");
  await signedUp(page, server.url, "student");
  const ada = await idAt(page, server.url);
  await page.goto(`/auctions?search=${encodeURIComponent(productName)}`);
  const star = cards(page).getByRole("button", { name: `Watch ${productName}` });
  await star.click();
  await expect(star).toHaveAttribute("aria-pressed", "true");
  await page.goto(`/product/${id}`);
  await expect(page.getByRole("button", { name: "Watching" })).toBeVisible();
  await sellersPage.goto(`/product/${id}`);
  await expect(sellersPage.getByText("1 person is watching it.")).toBeVisible();

  await page.goto("/my-bids");
  await page.getByRole("navigation", { name: "My bids" }).getByRole("link", { name: "Watching" }).click();
  await expect(page.getByRole("listitem", { name: productName })).toContainText("Open");

  // The person has watched it for a while, and its end comes near.
  await inDatabase(server, ({ services: { database } }) =>
    database.db
      .update(auctionWatch)
      .set({ at: new Date(Date.now() - 120 * minute) })
      .where(eq(auctionWatch.userId, ada)),
  );
  await endsIn(server, id, 50 * minute);
  await runJob(server, "watching", null);
  await page.getByRole("button", { name: "Notifications, 1 unread" }).click();
  await expect(page.getByRole("link", { name: `Ending soon: ${productName}` })).toBeVisible();

  await page.goto("/my-bids?show=watching");
  await page.getByRole("button", { name: `Stop watching ${productName}` }).click();
  await expect(page.getByRole("heading", { name: "You aren't watching anything yet." })).toBeVisible();
});

test("a visitor takes an item's end into a calendar, and sees what else its seller has on sale", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const sellersPage = await anotherBrowser();
  const { id, productName } = await offered(server, sellersPage, "Copper kettle");
  await onSale(server, sellersPage, { productName: "Copper pan" });
  await offered(server, await anotherBrowser(), "Copper kettle");
  await page.goto(`/product/${id}`);
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Add end to calendar" }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe("auction-end.ics");
  expect(await readFile(await download.path(), "utf8")).toContain(`SUMMARY:Ends: ${productName}\r\n`);

  await page.getByRole("link", { name: "See what this seller has on sale" }).click();
  await expect(page.getByRole("list", { name: "Filters in use" })).toContainText("One seller's items");
  await expect(cards(page)).toHaveCount(2);
  await expect(cards(page).filter({ hasText: productName })).toHaveCount(1);
  await expect(cards(page).filter({ hasText: "Copper pan" })).toHaveCount(1);
});

test("a search without results is saved, and its first item is announced by the bell", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const word = `harp${randomUUID().replaceAll(/[^a-f]/g, "")}`;
  await signedUp(page, server.url, "student");
  await page.goto(`/auctions?search=${word}`);
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Save this search" }).last().click();
  const dialog = page.getByRole("dialog", { name: "Save this search" });
  await expect(dialog.getByLabel("Name")).toHaveValue(word);
  await dialog.getByLabel("Emails about new items").selectOption("Never");
  await dialog.getByRole("button", { name: "Save search" }).click();
  await expect(dialog).toBeHidden();

  const sellersPage = await anotherBrowser();
  await signedUp(sellersPage, server.url, "student");
  const productName = `Small ${word}`;
  const productId = await onSale(server, sellersPage, { productName });
  await runJob(server, "new-item", { productId });
  await page.goto("/my-bids?show=searches");
  const search = page.getByRole("listitem", { name: word });
  await expect(async () => {
    await page.reload();
    await expect(search).toContainText("1 new item", { timeout: 1_000 });
  }).toPass();
  await runJob(server, "watching", null);
  await page.getByRole("button", { name: "Notifications, 1 unread" }).click();
  await page.getByRole("link", { name: `New for “${word}”: ${productName}` }).click();
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText(productName);
  await page.goto("/my-bids?show=searches");
  await expect(search).toContainText("Nothing new");
});

test("a card's price follows the bids without a reload, and the card says who leads", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const sellersPage = await anotherBrowser();
  const { id, productName } = await offered(server, sellersPage, "Marble chess set");
  const address = `/auctions?search=${encodeURIComponent(productName)}`;
  const [biddersPage, rivalsPage] = [await anotherBrowser(), await anotherBrowser()];
  for (const each of [biddersPage, rivalsPage]) await signedUp(each, server.url, "student");
  for (const each of [page, biddersPage, sellersPage]) {
    await each.goto(address);
    await expect(cards(each)).toContainText(["R150.00"]);
    await isHydrated(each);
  }
  await expect(cards(sellersPage)).toContainText("Your item");
  const bid = (by: Page, amount: number) =>
    call(by.request, server.url, "auctions/bid", { productId: id, amount, idempotencyKey: randomUUID() });
  await bid(biddersPage, 50_000);
  for (const each of [page, biddersPage, sellersPage])
    await expect(cards(each)).toContainText(/R500\.00.*1 bid/);
  await expect(cards(biddersPage)).toContainText("You're winning");
  await expect(cards(page)).not.toContainText("winning");
  await bid(rivalsPage, 60_000);
  await expect(cards(biddersPage)).toContainText("R600.00");
  await expect(cards(biddersPage)).not.toContainText("You're winning");
});

test("the list is filtered by price and end, and the address restores it", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const sellersPage = await anotherBrowser();
  await signedUp(sellersPage, server.url, "student");
  const mark = randomUUID().slice(0, 8);
  for (const [name, startingBid, hours] of [
    ["Cheap rug", 2_000, 30],
    ["Dear rug", 900_000, 40],
    ["Late rug", 2_500, 24 * 30],
  ] as const)
    await onSale(server, sellersPage, {
      productName: `${name} ${mark}`,
      startingBid,
      endDate: new Date(Date.now() + hours * 60 * minute),
    });
  await page.goto(`/auctions?search=${mark}`);
  await expect(cards(page)).toHaveCount(3);
  await page.getByText("Price, end, bids and delivery").click();
  await page.getByLabel("Price to").fill("100");
  await expect(cards(page)).toHaveCount(2);
  await page.getByLabel("Ends within").selectOption("3 days");
  await expect(cards(page)).toHaveCount(1);
  await expect(results(page)).toHaveText("1 auction");
  await expect(page).toHaveURL(/priceTo=10000&endsWithin=3d/);
  await page.reload();
  await expect(page.getByLabel("Price to")).toHaveValue("100");
  await expect(cards(page)).toContainText([/Cheap rug/]);
  const chips = page.getByRole("list", { name: "Filters in use" });
  await chips.getByRole("button", { name: "Remove Price up to R100.00" }).click();
  await expect(cards(page)).toHaveCount(2);
});
