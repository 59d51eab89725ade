import type { Page } from "@playwright/test";
import axe, { type AxeResults } from "axe-core";
import { bids, openAsBidder, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import { accountMenu, seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

/** Locates the status of the connection: attached once the connection is watched, and empty while online. */
const watched = (page: Page) => page.getByRole("status", { name: "Connection" });
const banner = (page: Page) => watched(page).filter({ hasText: "You're offline." });
const headline = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const noConnection = "Network error. Please check your internet connection and try again.";
const code = "auth/network-request-failed";

test("offline a form keeps typed text, says so, and continues when the connection is back", async ({
  page,
  context,
}) => {
  await page.goto("/contact");
  await page.getByLabel("Name").fill("Ada Obi");
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByLabel("Message", { exact: true }).fill("When does the January intake close?");
  await expect(watched(page)).toBeAttached();
  await context.setOffline(true);
  await expect(banner(page)).toBeVisible();
  const send = page.getByRole("button", { name: "Send message" });
  await send.click();
  await seeError(page, "Contact Error", noConnection, code);
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue(
    "When does the January intake close?",
  );
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await page.evaluate<AxeResults>(`${axe.source}; axe.run("output")`);
    expect(violations).toEqual([]);
  }

  await context.setOffline(false);
  await expect(banner(page)).toHaveCount(0);
  await send.click();
  await expect(page.getByRole("heading", { name: "Thank you, your message is on its way" })).toBeVisible();
});

test("a screen that is not there yet opens once the connection is back; what was seen stays usable", async ({
  page,
  context,
}) => {
  await page.goto("/about-us");
  // Before this is attached, links do full page loads.
  await expect(watched(page)).toBeAttached();
  await page.getByRole("link", { name: "Write to us" }).click();
  await expect(headline(page, "Contact")).toBeVisible();
  await page.getByLabel("Message", { exact: true }).fill("A question");
  await expect(watched(page)).toBeAttached();
  await context.setOffline(true);
  await expect(banner(page)).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByRole("progressbar", { name: "Loading the page" })).toBeVisible();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("A question");
  await page.goBack();
  await expect(headline(page, "About Us")).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await context.setOffline(false);
  await expect(headline(page, "Privacy")).toBeVisible();
});

test("a list that could not be loaded appears automatically", async ({
  page,
  context,
  server,
  anotherBrowser,
}) => {
  await sellAnItem(server, await anotherBrowser());
  await page.goto("/auctions");
  const cards = page.getByRole("list", { name: "Open auctions" }).getByRole("listitem");
  await expect(cards.first()).toBeVisible();
  await expect(watched(page)).toBeAttached();
  await context.setOffline(true);
  await page.getByLabel("Category", { exact: true }).selectOption("Home");
  await expect(page.getByRole("heading", { name: "We couldn't load this" })).toBeVisible();
  await expect(banner(page)).toBeVisible();
  await context.setOffline(false);
  await expect(cards.first()).toBeVisible();
});

test("a bid without a connection is refused, never sent later, and the page catches up automatically", async ({
  page,
  context,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  await expect(panel(page).getByRole("button", { name: "Place bid" })).toBeEnabled();
  let requests = 0;
  page.on("requestfinished", (request) => (requests += request.url().endsWith("/rpc/auctions/bid") ? 1 : 0));
  await expect(watched(page)).toBeAttached();
  await context.setOffline(true);
  await placeBid(page, "160");
  await seeError(page, "Bid Error", noConnection, code);
  await expect(banner(page)).toBeVisible();
  await expect(panel(page).getByLabel("Your bid")).toHaveValue("160");

  const other = await anotherBrowser();
  await openAsBidder(other, server, desk);
  await placeBid(other, "200");
  await expect(bids(other)).toHaveText(/^You/);
  const askedAgain = page.waitForResponse(`**/auctions/products/${desk}`);
  const stream = page.waitForRequest("**/live?*");
  await context.setOffline(false);
  await Promise.all([askedAgain, stream]);
  await expect(bids(page)).toHaveText([/R200\.00/]);
  await expect(banner(page)).toHaveCount(0);
  await expect(
    page.getByText("Your bid of R160.00 didn't reach us, so it wasn't placed.", { exact: true }),
  ).toBeVisible();
  await expect(panel(page).getByLabel("Your bid")).toHaveValue("160");
  expect(requests).toBe(0);
});

test("a server that does not answer is not reported as being offline", async ({ page }) => {
  await page.goto("/contact");
  await expect(watched(page)).toBeAttached();
  let isThere = false;
  const cut = /\/(rpc\/.*|healthz)$/;
  await page.route(cut, (route) => (isThere ? route.continue() : route.abort("internetdisconnected")));
  await page.getByLabel("Name").fill("Ada Obi");
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByLabel("Message", { exact: true }).fill("Hello?");
  await page.getByRole("button", { name: "Send message" }).click();
  await seeError(page, "Contact Error", noConnection, code);
  const unanswered = page.getByRole("status").filter({ hasText: "Not connected." });
  await expect(unanswered).toBeVisible();
  isThere = true;
  await expect(unanswered).toHaveCount(0);
});

test.describe("while the stream of events is refused", () => {
  test.use({ expectsRefusals: true });

  test("the page says that prices may be old, even if the rest of the server answers", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const desk = await sellAnItem(server, await anotherBrowser());
    let isRefused = true;
    await page.route("**/live?*", (route) => (isRefused ? route.fulfill({ status: 429 }) : route.continue()));
    await page.goto(`/product/${desk}`);
    const notice = watched(page).filter({ hasText: "Not connected. Prices may be old." });
    await expect(notice).toBeVisible();
    isRefused = false;
    await expect(notice).toHaveCount(0);
  });
});

test.describe("after a new version", () => {
  test.use({ expectsRefusals: true });

  test("the page is reloaded when the old code of a screen is gone", async ({ page, server, complaints }) => {
    const ada = await signedUp(page, server.url, "student");
    await page.goto("/terms");
    // Before this is attached, a screen's missing code isn't requested again.
    await expect(watched(page)).toBeAttached();
    let loads = 0;
    let isGone = true;
    page.on("request", (request) => (loads += request.isNavigationRequest() ? 1 : 0));
    await page.route(/my-bids-[^/]*\.js/, (route) =>
      isGone ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await page.getByRole("button", { name: ada.email }).click();
    await accountMenu(page).getByRole("link", { name: "My bids" }).click();
    await expect.poll(() => loads).toBe(1);
    complaints.splice(0);
    isGone = false;
    await page.getByRole("button", { name: ada.email }).click();
    await accountMenu(page).getByRole("link", { name: "My bids" }).click();
    await expect(headline(page, "My bids")).toBeVisible();
    expect(loads).toBe(1);
  });
});

test("an act's outcome is announced above the banner, not over it", async ({
  page,
  context,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(page, server, desk);
  await expect(watched(page)).toBeAttached();
  await placeBid(page, "150");
  const toast = page.getByText("Bid placed successfully!", { exact: true });
  // The toast stays as long as the pointer is on it.
  await toast.hover();
  await context.setOffline(true);
  await expect(banner(page)).toBeVisible();
  await expect(async () => {
    const above = await toast.boundingBox();
    const below = await banner(page).locator("span").first().boundingBox();
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
  }).toPass();
});
