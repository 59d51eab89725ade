import type { Page } from "@playwright/test";
import { endsIn, onSale, openAsBidder, panel, placeBid } from "./auctioneer.ts";
import { hold } from "./hold.ts";
import { signedUp } from "./people.ts";
import { isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Sets a browser's date wrong. The script is text, because the types of tests don't include the window. */
const setClock = (page: Page, ahead: number): Promise<unknown> =>
  page.addInitScript(`{
    const Right = Date;
    Date = class extends Right {
      constructor(...parts) {
        super(...(parts.length > 0 ? parts : [Date.now()]));
      }
      static now() {
        return Right.now() + ${ahead};
      }
    };
  }`);

const bar = (page: Page) => page.getByRole("complementary", { name: "Price and time left" });
const inHalfAnHour = /^(0h )?(29|30)m( \d+s)?( left)?$/;

for (const [name, ahead] of [
  ["an hour fast", hour],
  ["an hour slow", -hour],
  ["a day fast", 24 * hour],
  ["a day slow", -24 * hour],
] as const)
  test(`every screen counts down by the server's clock when the device's is ${name}`, async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const seller = await anotherBrowser();
    await setClock(page, ahead);
    await setClock(seller, ahead);
    await signedUp(seller, server.url, "student");
    const productName = `Brass clock ${ahead}`;
    const clock = await onSale(server, seller, { productName });
    await openAsBidder(page, server, clock);
    await placeBid(page, "160");
    await expect(panel(page).getByText("You're winning", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await expect(page.getByRole("button", { name: "Watching" })).toBeVisible();
    await endsIn(server, clock, 30 * minute);

    const card = page.getByRole("listitem").filter({ hasText: productName });
    // Only the page itself has been answered so far.
    const letGo = await hold(page, "**/rpc/**");
    await page.goto("/auctions?sort=newest");
    await isHydrated(page);
    await expect(card.getByText(inHalfAnHour)).toBeVisible();
    letGo();
    await card.getByRole("link").click();
    await expect(panel(page).getByRole("timer")).toHaveText(inHalfAnHour);
    await page.reload();
    await isHydrated(page);
    await expect(panel(page).getByRole("timer")).toHaveText(inHalfAnHour);
    await page.getByRole("banner").getByRole("link", { name: "Auctions" }).click();
    await expect(card.getByText(inHalfAnHour)).toBeVisible();

    await page.goto("/my-bids");
    const item = page.getByRole("listitem", { name: productName });
    await expect(item).toContainText(/Price now R160\.00.*Ends /);
    await page.goto("/my-bids?show=watching");
    await expect(item).toContainText(/Price now R160\.00.*Ends .*You're winning/);
    await page.setViewportSize({ width: 390, height: 700 });
    await endsIn(server, clock, 30 * minute);
    await page.goto(`/product/${clock}`);
    await expect(bar(page).getByText(inHalfAnHour)).toBeVisible();
    await seller.goto("/product-list");
    const own = seller.getByRole("listitem", { name: productName });
    await expect(own).toContainText(/Ends /);
    await expect(own).toContainText("Open");
  });

test("a page from some minutes ago counts down from when it was sent, and shows the current items", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const productName = "Brass sundial";
  const sundial = await onSale(server, seller, { productName });
  await endsIn(server, sundial, 30 * minute);
  await page.route(/\/auctions\?/, async (route) => {
    const response = await route.fetch();
    const sentAt = Date.now() + 9 * minute;
    await route.fulfill({
      response,
      headers: { ...response.headers(), "server-timing": `sent;dur=${sentAt}` },
    });
  });
  const letGo = await hold(page, "**/rpc/**");
  const refetched = page.waitForRequest("**/rpc/auctions/list*");
  await page.goto("/auctions?sort=newest");
  await refetched;
  const card = page.getByRole("listitem").filter({ hasText: productName });
  await expect(card.getByText(/^(0h )?(20|21)m/)).toBeVisible();
  letGo();
  await expect(card.getByText(inHalfAnHour)).toBeVisible();
});

test("lists of the viewer's own items show an end that comes while they are open", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const productName = "Brass hourglass";
  const hourglass = await onSale(server, seller, { productName });
  await openAsBidder(page, server, hourglass);
  await placeBid(page, "160");
  await expect(panel(page).getByText("You're winning", { exact: true })).toBeVisible();
  for (const [each, path] of [
    [page, "/my-bids"],
    [seller, "/product-list"],
  ] as const) {
    await each.clock.install();
    await each.goto(path);
    const row = each.getByRole("listitem", { name: productName });
    await expect(row).toContainText("Ends ");
    // The server's day isn't over, but the page can no longer reach it.
    await each.route(/\/(live|rpc)\b/, () => {});
    await each.clock.fastForward("24:00:00");
    await expect(row).toContainText(/Ended |Auction Ended /);
  }
});
