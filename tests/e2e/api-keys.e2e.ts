import { signedInAsAdmin } from "./people.ts";
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
  const shown = page.getByRole("dialog", { name: "Your API key" });
  const key = (await shown.locator("code").textContent()) ?? "";
  await shown.getByRole("button", { name: "I've saved it" }).click();

  const headers = { authorization: `Bearer ${key}` };
  const students = () => request.get(`${server.url}/api/v1/students?limit=1`, { headers });
  expect((await students()).status()).toBe(200);
  expect((await request.get(`${server.url}/api/v1/accounts`, { headers })).status()).toBe(403);

  const listed = page.getByRole("list", { name: "API keys" }).getByRole("listitem").filter({ hasText: name });
  await expect(listed).toContainText(key.slice(0, 9));
  await expect(page.getByText(key)).toHaveCount(0);
  await listed.getByRole("button", { name: `Revoke ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(listed).toHaveCount(0);
  expect((await students()).status()).toBe(401);
});

test("the API reference is public", async ({ page }) => {
  await page.goto("/api/docs");
  const bid = page.getByRole("article", { name: "Place a bid" });
  await expect(bid).toContainText("POST /auctions/{productId}/bids");
  await expect(bid).toContainText("auctions:write");
  await bid.getByText("Inputs and answers").click();
  await bid.getByRole("link", { name: "out-of-range" }).click();
  await expect(page).toHaveURL(/#out-of-range$/);
});
