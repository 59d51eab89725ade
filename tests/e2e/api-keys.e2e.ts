import type { Page } from "@playwright/test";
import { signedInAsAdmin } from "./people.ts";
import { isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";

test("an admin creates a key for a program, which works until it is revoked", async ({
  page,
  server,
  request,
}) => {
  await signedInAsAdmin(page, server.url);
  await page.goto("/security");
  await page.getByRole("link", { name: "Your API keys" }).click();
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  const name = `CRM ${Date.now()}`;
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Read Students").check();
  await dialog.getByRole("button", { name: "Create" }).click();
  const keyDialog = page.getByRole("dialog", { name: "Your API key" });
  const key = (await keyDialog.locator("code").textContent()) ?? "";
  await keyDialog.getByRole("button", { name: "I've saved it" }).click();

  const headers = { authorization: `Bearer ${key}` };
  const students = () => request.get(`${server.url}/api/v1/students?limit=1`, { headers });
  expect((await students()).status()).toBe(200);
  expect((await request.get(`${server.url}/api/v1/accounts`, { headers })).status()).toBe(403);

  const entry = page.getByRole("list", { name: "API keys" }).getByRole("listitem").filter({ hasText: name });
  await expect(entry).toContainText(key.slice(0, 9));
  await expect(page.getByText(key)).toHaveCount(0);
  await entry.getByRole("button", { name: `Revoke ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(entry).toHaveCount(0);
  expect((await students()).status()).toBe(401);
});

/** Locates the description of a call in /api/docs, which opens when clicked. */
const described = (page: Page, call: string) =>
  page.locator("details").filter({ has: page.getByRole("heading", { name: call, exact: true }) });

test("the API reference is public", async ({ page }) => {
  await page.goto("/api/docs");
  const bid = described(page, "Place a bid");
  await expect(bid).toContainText("POST /auctions/{productId}/bids");
  await expect(bid.getByText("auctions:write")).toBeHidden();
  await bid.getByRole("heading").first().click();
  await expect(bid.getByText("auctions:write")).toBeVisible();
  await bid.getByRole("link", { name: "out-of-range" }).click();
  await expect(page).toHaveURL(/#out-of-range$/);
  await expect(
    page
      .getByRole("listitem")
      .filter({ hasText: /^out-of-range/ })
      .first(),
  ).toBeInViewport();
});

test("going back to a call opens it again", async ({ page }) => {
  await page.goto("/api/docs#auctions.bid");
  // Before hydration is done, the page may reopen a closed description.
  await isHydrated(page);
  const bid = described(page, "Place a bid");
  await expect(bid.getByText("auctions:write")).toBeInViewport();
  await bid.getByRole("heading").first().click();
  await expect(bid.getByText("auctions:write")).toBeHidden();
  await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "Limits" }).click();
  await page.goBack();
  await expect(bid.getByText("auctions:write")).toBeInViewport();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a link to a call opens it", async ({ page }) => {
    await page.goto("/api/docs#auctions.bid");
    await expect(described(page, "Place a bid").getByText("auctions:write")).toBeInViewport();
    await expect(described(page, "List open auctions").getByText("auctions:read")).toBeHidden();
  });
});
