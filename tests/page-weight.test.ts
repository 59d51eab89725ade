import { beforeAll, expect, test } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { pageWeight } from "#scripts/page-weight.ts";

/**
 * The most that a first visit may load, in kilobytes (1,000 bytes) of gzip scripts and styles. Each is what the page
 * weighs and a little over: a page that grows past its own fails. The home page may have 160 at most.
 */
const budgets: Record<string, number> = {
  "/": 157,
  "/login": 172,
  "/signup": 172,
  "/reset-password": 172.5,
  "/verify-email": 148,
  "/about-us": 148.5,
  "/meet-the-team": 147.5,
  "/explore": 172.5,
  "/auctions": 179,
  // For every product.
  "/product/00000000-0000-0000-0000-000000000000": 175.5,
  "/grading-guide": 149,
  "/contact": 171,
  "/privacy": 149,
  "/terms": 148,
};
const fontBudget = 70;

beforeAll(() => buildPages(), 300_000);

test.each(Object.entries(budgets))("%s loads at most %d KB", (page, budget) => {
  const { code, fonts } = pageWeight(page);
  expect(code).toBeLessThanOrEqual(budget);
  // Less than half of it would mean that this test has lost sight of what a page loads.
  expect(code).toBeGreaterThan(100);
  expect(fonts).toBeLessThanOrEqual(fontBudget);
});

test("what a page's own elements load comes from our own server", () => {
  for (const page of Object.keys(budgets)) expect(pageWeight(page).elsewhere, page).toEqual([]);
});
