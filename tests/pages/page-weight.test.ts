import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { serveBuild } from "#server/pages.ts";
import { mine, submit } from "#tests/support/applications.ts";
import { product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { programmeOf } from "#tests/support/catalogue.ts";
import { send } from "#tests/support/conversations.ts";
import { person } from "#tests/support/factories.ts";
import { pageWeight } from "#tests/support/page-weight.ts";
import { storeInstitution } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

/**
 * The most that a first visit may load, in kilobytes (1,000 bytes) of gzipped scripts and styles: the next multiple of
 * 5 above the page's weight, so that a page which pulls in another one's code fails.
 */
const publicBudgets: Record<string, number> = {
  "/": 160,
  "/login": 165,
  // These pages include the rules for names and passwords, so that a slow phone need not query the server.
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
  "/compare": 175,
  "/auctions": 180,
  // Includes the bid form: loaded on demand, it would keep a bidder on a slow phone waiting.
  "/product/:productId": 190,
  "/grading-guide": 155,
  "/auction-rules": 155,
  "/api/docs": 155,
  "/contact": 160,
  "/privacy": 155,
  "/terms": 155,
};
const studentBudgets: Record<string, number> = {
  "/student-dashboard": 220,
  "/messages": 205,
  "/messages/:threadId": 185,
  "/notifications": 180,
  "/application/:applicationId": 225,
  "/who-looked": 160,
};
const agentBudgets: Record<string, number> = {
  "/agent-dashboard": 170,
  "/manage-students": 235,
  "/today": 175,
  "/offers": 165,
  "/invitations": 170,
};
const adminBudgets: Record<string, number> = {
  "/admin-dashboard": 190,
  "/admin/accounts": 175,
};
const fontBudget = 70;

let w: Wayfare;
let visitor: Caller;
let student: Caller;
let agent: Caller;
let admin: Caller;
let applicationId: string;
let threadId: string;
let productId: string;
let slug: string;
beforeAll(async () => {
  buildPages();
  w = await wayfare();
  await serveBuild(w.app, "build", w.services);
  visitor = new Caller(w.app);
  const ada = await person(w, "student", "active");
  student = ada.caller;
  agent = (await person(w, "agent", "approved")).caller;
  admin = (await person(w, "admin", "active")).caller;
  await submit(ada);
  applicationId = (await mine(ada))[0]?.id ?? "";
  ({ threadId } = await send(ada, ada.id, { text: "Which year do I apply for?" }));
  productId = await product(w, ada);
  ({ slug } = await programmeOf(w, await storeInstitution(w)));
}, 300_000);
afterAll(() => w.stop());

/** Every page with its budget and a viewer who may open it. */
const pages = [
  ...Object.entries(publicBudgets).map((budget) => [...budget, () => visitor] as const),
  ...Object.entries(studentBudgets).map((budget) => [...budget, () => student] as const),
  ...Object.entries(agentBudgets).map((budget) => [...budget, () => agent] as const),
  ...Object.entries(adminBudgets).map((budget) => [...budget, () => admin] as const),
];

async function weightOf(page: string, viewer: Caller) {
  const path = page
    .replace(":applicationId", applicationId)
    .replace(":productId", productId)
    .replace(":threadId", threadId)
    .replace(":slug", slug);
  const response = await viewer.request(path, { method: "GET" });
  expect(response.status, page).toBe(200);
  return pageWeight(await response.text());
}

test.each(pages)("%s loads at most %d KB", async (page, budget, viewer) => {
  const { code, fonts } = await weightOf(page, viewer());
  expect(code).toBeLessThanOrEqual(budget);
  // A smaller sum would mean that this test no longer sees what a page loads.
  expect(code).toBeGreaterThan(100);
  expect(fonts).toBeLessThanOrEqual(fontBudget);
});

test("a page's elements load from our own server only", async () => {
  for (const [page, , viewer] of pages) expect((await weightOf(page, viewer())).elsewhere, page).toEqual([]);
});
