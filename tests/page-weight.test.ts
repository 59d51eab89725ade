import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { serveBuild } from "#server/pages.ts";
import { product } from "./auctions.ts";
import { person } from "./factories.ts";
import { pageWeight } from "./page-weight.ts";
import { type Wayfare, wayfare } from "./wayfare.ts";

/**
 * The most that a first visit may load, in kilobytes (1,000 bytes) of gzipped scripts and styles. Each limit is
 * slightly above the page's weight, so that any growth fails. The home page may have 160 at most.
 */
const budgets: Record<string, number> = {
  "/": 153.5,
  "/login": 154,
  // This page includes the rules for names and passwords, so that a slow phone need not ask the server.
  "/signup": 154.5,
  "/reset-password": 153,
  "/verify-email": 146.5,
  "/about-us": 146,
  "/meet-the-team": 144.5,
  "/explore": 151,
  "/auctions": 158.5,
  "/product/:productId": 160.5,
  "/grading-guide": 146,
  "/api/docs": 147,
  "/contact": 149,
  "/privacy": 147.5,
  "/terms": 145.5,
};
const fontBudget = 70;

let w: Wayfare;
let productId: string;
beforeAll(async () => {
  buildPages();
  w = await wayfare();
  await serveBuild(w.app, "build", w.services);
  productId = await product(w, await person(w, "student", "active"));
}, 300_000);
afterAll(() => w.stop());

async function weightOf(page: string) {
  const response = await w.app.request(page.replace(":productId", productId));
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

test("what a page's own elements load comes from our own server", async () => {
  for (const page of Object.keys(budgets)) expect((await weightOf(page)).elsewhere, page).toEqual([]);
});
