import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import axe, { type AxeResults } from "axe-core";
import { bids, onSale, openAsBidder, placeBid, sellAnItem } from "./auctioneer.ts";
import { hold } from "./hold.ts";
import { signedUp } from "./people.ts";
import { openSidebar } from "./steps.ts";
import { expect, test } from "./story.ts";

const headline = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const progress = (page: Page) => page.getByRole("progressbar", { name: "Loading the page" });

/** Expects an element, or its pseudo-element, to become visible only after 150 ms, even with reduced motion. */
async function waits(locator: Locator, part: { pseudo?: "after" } = {}): Promise<void> {
  await expect(locator).toHaveCSS("animation-name", /wait/, part);
  await expect(locator).toHaveCSS("animation-delay", "0.15s", part);
  await expect(locator).toHaveCSS("animation-fill-mode", "backwards", part);
}

test("going back immediately shows the list as it was left, and then the changes", async ({
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
  // The reminder is lazy-loaded above the list.
  await expect(page.getByRole("region", { name: "Email verification" })).toBeVisible();
  await page.getByRole("button", { name: "Show more" }).click();
  const last = page.getByRole("link", { name: `Vase 30 ${mark}` });
  await last.scrollIntoViewIfNeeded();
  const place = await page.evaluate<number>("scrollY");
  expect(place).toBeGreaterThan(0);
  await last.click();
  await expect(headline(page, `Vase 30 ${mark}`)).toBeVisible();
  await placeBid(page, "175");
  await expect(page.getByText("You", { exact: true })).toBeVisible();

  const letGo = await hold(page, "**/rpc/auctions/list");
  await page.goBack();
  await expect(last).toBeInViewport();
  expect(await page.evaluate<number>("scrollY")).toBe(place);
  await expect(page.getByLabel("Loading auctions")).toHaveCount(0);
  const card = page.getByRole("listitem").filter({ has: last });
  // The card follows the bid live, before the list has answered.
  await expect(card).toContainText("R175.00");
  letGo();
  await expect(card).toContainText("1 bid");
  await expect(last).toBeInViewport();
});

test("a screen that takes long shows its progress after 150 ms, and opens when it is loaded", async ({
  page,
}) => {
  const letGo = await hold(page, "**/assets/meet-the-team-*.js");
  await page.goto("/terms");
  const sidebar = await openSidebar(page);
  await sidebar.getByRole("link", { name: "Meet the Team" }).click();
  await expect(progress(page)).toBeVisible();
  await waits(progress(page).locator(".."));
  await page.evaluate(axe.source);
  const region = await page.evaluate<AxeResults>('axe.run(document, { runOnly: ["region"] })');
  expect(region.violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
  await expect(headline(page, "Terms")).toBeVisible();
  letGo();
  await expect(headline(page, "Meet the Team")).toBeVisible();
  await expect(progress(page)).toHaveCount(0);
});

test("a list's skeleton appears with a delay, also without motion", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const letGo = await hold(page, "**/rpc/auctions/list");
  // The server's HTML of the page doesn't include search results.
  await page.goto("/auctions?search=desk");
  const skeleton = page.getByLabel("Loading auctions").locator("div:empty").first();
  await expect(skeleton).toBeVisible();
  await waits(skeleton, { pseudo: "after" });
  letGo();
  await expect(skeleton).toHaveCount(0);
});

test("a page in touch with the server opens a screen without checking the connection", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, page);
  await page.goto(`/product/${desk}`);
  const other = await anotherBrowser();
  await openAsBidder(other, server, desk);
  await placeBid(other, "160");
  await expect(bids(page)).toHaveCount(1);
  let healthChecks = 0;
  page.on("request", (request) => (healthChecks += request.url().endsWith("/healthz") ? 1 : 0));
  await page.getByRole("link", { name: "Grade A" }).click();
  await expect(headline(page, "Grading guide")).toBeVisible();
  expect(healthChecks).toBe(0);
});
