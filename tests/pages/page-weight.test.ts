import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { serveBuild } from "#server/pages.ts";
import { product } from "#tests/support/auctions.ts";
import { programmeOf } from "#tests/support/catalogue.ts";
import { person } from "#tests/support/factories.ts";
import { pageWeight } from "#tests/support/page-weight.ts";
import { storeInstitution } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

/**
 * The most that a first visit may load, in kilobytes (1,000 bytes) of gzipped scripts and styles: the next multiple of 5
 * above what the page weighs, so that a page which takes another one's code along fails.
 */
const budgets: Record<string, number> = {
  "/": 165,
  "/login": 165,
  // This page includes the rules for names and passwords, so that a slow phone need not ask the server.
  "/signup": 165,
  "/reset-password": 165,
  "/verify-email": 155,
  "/invitation": 160,
  "/unsubscribe": 170,
  "/about-us": 155,
  "/meet-the-team": 155,
  "/explore": 160,
  "/programmes": 180,
  "/programmes/:slug": 185,
  "/compare": 180,
  "/auctions": 180,
  // Brings the bid form along: asked for by itself, it would keep a bidder on a slow phone waiting.
  "/product/:productId": 190,
  "/grading-guide": 155,
  "/auction-rules": 160,
  "/api/docs": 155,
  "/contact": 160,
  "/privacy": 155,
  "/terms": 155,
};
const fontBudget = 70;

let w: Wayfare;
let productId: string;
let slug: string;
beforeAll(async () => {
  buildPages();
  w = await wayfare();
  await serveBuild(w.app, "build", w.services);
  productId = await product(w, await person(w, "student", "active"));
  ({ slug } = await programmeOf(w, await storeInstitution(w)));
}, 300_000);
afterAll(() => w.stop());

async function weightOf(page: string) {
  const response = await w.app.request(page.replace(":productId", productId).replace(":slug", slug));
  expect(response.status, page).toBe(200);
  return pageWeight(await response.text());
}

test.each(Object.entries(budgets))("%s loads at most %d KB", async (page, budget) => {
  const { code, fonts } = await weightOf(page);
  expect(code).toBeLessThanOrEqual(budget);
  // Less than half of a limit would mean that this test no longer sees what a page loads.
  expect(code).toBeGreaterThan(100);
  expect(fonts).toBeLessThanOrEqual(fontBudget);
});

test("a page's elements load from our own server alone", async () => {
  for (const page of Object.keys(budgets)) expect((await weightOf(page)).elsewhere, page).toEqual([]);
});
