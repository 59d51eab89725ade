import { randomUUID } from "node:crypto";
import type { Locator, Page, Request } from "@playwright/test";
import { onSale, placeBid } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import { accountMenu, openSidebar } from "./steps.ts";
import { expect, test } from "./story.ts";

const headline = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const progress = (page: Page) => page.getByRole("progressbar", { name: "Loading the page" });

/** What comes into sight only 150 ms after it is there, whatever else moves: how an element does it, or its paint. */
async function waits(locator: Locator): Promise<void> {
  const timing = await locator.evaluate((element) => {
    const styleOf = Reflect.get(globalThis, "getComputedStyle");
    return [null, "::after"].map((part) => {
      const { animationName, animationDelay, animationFillMode } = styleOf(element, part);
      return `${animationName} ${animationDelay} ${animationFillMode}`;
    });
  });
  expect(timing.join(", ")).toMatch(/wait\S* 0\.15s backwards/);
}

/** Counts from now on whether there is a progress bar at any time, seen or not yet. */
const watchProgress = (page: Page) =>
  page.evaluate(`
    window.progressBars = 0;
    new MutationObserver(() => (progressBars += document.querySelectorAll("progress").length))
      .observe(document.body, { childList: true, subtree: true });`);
const progressBars = (page: Page) => page.evaluate("progressBars");

/** Hears of every request of a page: those under way, and those sent since it was last asked. */
function listen(page: Page) {
  const underWay = new Set<Request>();
  let sent: Request[] = [];
  // A stream is never answered.
  const isStream = (request: Request) => new URL(request.url()).pathname === "/live";
  page.on("request", (request) => {
    sent.push(request);
    if (!isStream(request)) underWay.add(request);
  });
  page.on("requestfinished", (request) => underWay.delete(request));
  page.on("requestfailed", (request) => underWay.delete(request));
  return {
    sent: () => sent.map((request) => request.url()),
    forget: () => void (sent = []),
    allAnswered: () => expect.poll(() => underWay.size).toBe(0),
    /** Those before the screen showed: it opens its stream once it does. */
    sentBefore: () => {
      const stream = sent.findIndex(isStream);
      return sent.slice(0, stream === -1 ? undefined : stream).map((request) => request.url());
    },
  };
}

test("after a hover has been answered, a click asks for nothing before the screen shows", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const desk = await onSale(server, seller, { productName: "Desk to hover over" });
  const ada = await signedUp(page, server.url, "student");
  const requests = listen(page);
  await page.goto("/terms");
  await expect(page.getByRole("button", { name: ada.email })).toBeVisible();
  await requests.allAnswered();

  const auctions = page.getByRole("banner").getByRole("link", { name: "Auctions" });
  const list = page.waitForResponse("**/rpc/auctions/list");
  await auctions.hover();
  await list;
  await requests.allAnswered();
  requests.forget();
  await watchProgress(page);
  await auctions.click();
  const card = page.getByRole("link", { name: "Desk to hover over" });
  await expect(card).toBeVisible();
  // But for the pictures in the list, which are loaded when they come into sight.
  expect(requests.sentBefore().filter((url) => !url.includes("/pictures/"))).toEqual([]);
  expect(await progressBars(page)).toBe(0);

  const state = page.waitForResponse(`**/auctions/products/${desk}`);
  const standing = page.waitForResponse("**/rpc/auctions/standing");
  await card.hover();
  await Promise.all([state, standing]);
  await requests.allAnswered();
  requests.forget();
  await card.click();
  await expect(headline(page, "Desk to hover over")).toBeVisible();
  expect(requests.sentBefore()).toEqual([]);

  // The focus says it as well as a pointer.
  await page.getByRole("button", { name: ada.email }).click();
  const bids = page.waitForResponse("**/rpc/auctions/myBids");
  await accountMenu(page).getByRole("link", { name: "My bids" }).focus();
  await bids;
  await requests.allAnswered();
  requests.forget();
  await page.keyboard.press("Enter");
  await expect(page.getByText("No bids yet.")).toBeVisible();
  expect(requests.sentBefore()).toEqual([]);
});

test("who saves data fetches nothing before the click", async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "connection", { value: { saveData: true } }),
  );
  const requests = listen(page);
  await page.goto("/terms");
  await openSidebar(page);
  await requests.allAnswered();
  requests.forget();
  const link = page.getByRole("dialog").getByRole("link", { name: "Meet the Team" });
  await link.hover();
  // What is pressed is decided, also about what was only hovered over.
  await page.getByRole("dialog").getByRole("link", { name: "About Us" }).click();
  await expect(headline(page, "About Us")).toBeVisible();
  await requests.allAnswered();
  expect(requests.sent().filter((url) => url.includes("meet-the-team"))).toEqual([]);
});

test("going back shows the list as it was left, at once, and then what has changed", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const mark = randomUUID().slice(0, 8);
  const sell = (_: unknown, at: number) =>
    onSale(server, seller, {
      productName: `Vase ${at + 1} ${mark}`,
      endDate: new Date(Date.now() + (at + 1) * 3_600_000),
    });
  await Promise.all(Array.from({ length: 30 }, sell));
  await signedUp(page, server.url, "student");
  await page.goto(`/auctions?search=${mark}`);
  await page.getByRole("button", { name: "Show more" }).click();
  const last = page.getByRole("link", { name: `Vase 30 ${mark}` });
  await last.scrollIntoViewIfNeeded();
  const place = await page.evaluate<number>("scrollY");
  expect(place).toBeGreaterThan(0);
  await last.click();
  await expect(headline(page, `Vase 30 ${mark}`)).toBeVisible();
  await placeBid(page, "175");
  await expect(page.getByText("You", { exact: true })).toBeVisible();

  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  await page.route("**/rpc/auctions/list", async (route) => {
    await promise;
    await route.continue();
  });
  await page.goBack();
  await expect(last).toBeInViewport();
  expect(await page.evaluate<number>("scrollY")).toBe(place);
  await expect(page.getByLabel("Loading auctions")).toHaveCount(0);
  const card = page.getByRole("listitem").filter({ has: last });
  await expect(card).toContainText("No bids yet");
  letGo();
  await expect(card).toContainText("R175.00");
  await expect(last).toBeInViewport();
});

test("a screen that takes long shows its progress after 150 ms, and opens when it is there", async ({
  page,
}) => {
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  await page.route("**/assets/meet-the-team-*.js", async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto("/terms");
  const sidebar = await openSidebar(page);
  await sidebar.getByRole("link", { name: "Meet the Team" }).click();
  await expect(progress(page)).toBeVisible();
  await waits(progress(page).locator(".."));
  await expect(headline(page, "Terms")).toBeVisible();
  letGo();
  await expect(headline(page, "Meet the Team")).toBeVisible();
  await expect(progress(page)).toHaveCount(0);
});

test("so does a list's skeleton, also for who wants no motion", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  await page.route("**/rpc/auctions/list", async (route) => {
    await promise;
    await route.continue();
  });
  // Its own page brings the list along.
  await page.goto("/terms");
  await expect(page.getByRole("status", { name: "Connection" })).toBeAttached();
  await page.getByRole("navigation").getByRole("link", { name: "Auctions" }).first().click();
  const skeleton = page.getByLabel("Loading auctions").locator("div:empty").first();
  await expect(skeleton).toBeVisible();
  await waits(skeleton);
  letGo();
  await expect(skeleton).toHaveCount(0);
});
