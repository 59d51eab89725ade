import { hold } from "./hold.ts";
import { expect, test } from "./story.ts";

test("a page whose code can't be loaded continues automatically when the connection is back", async ({
  page,
}) => {
  await page.route("**/assets/*.js", (route) => route.abort("internetdisconnected"));
  const failed = page.waitForEvent("requestfailed");
  await page.goto("/auctions");
  await failed;
  await expect(page.getByRole("searchbox", { name: "Search auctions" })).toBeVisible();
  await page.unroute("**/assets/*.js");
  await page.evaluate('dispatchEvent(new Event("online"))');
  await expect(page.getByRole("status", { name: "Connection" })).toBeAttached();
});

test("text typed into a search before the code is loaded is searched for", async ({ page }) => {
  const letGo = await hold(page, "**/assets/*.js");
  await page.goto("/auctions", { waitUntil: "commit" });
  const search = page.getByRole("searchbox", { name: "Search auctions" });
  await search.fill("no such thing");
  letGo();
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await expect(search).toHaveValue("no such thing");
});

test("an option chosen before the code is loaded stays chosen", async ({ page }) => {
  const letGo = await hold(page, "**/assets/*.js");
  await page.goto("/auctions?grade=New", { waitUntil: "commit" });
  await page.getByLabel("Category", { exact: true }).selectOption("Home");
  await page.getByLabel("Sort by").selectOption("Price: low to high");
  letGo();
  await expect(page).toHaveURL(/\?category=home&grade=New&sort=priceUp$/);
  await expect(page.getByLabel("Subcategory")).toBeEnabled();
  await expect(page.getByLabel("Sort by")).toHaveValue("priceUp");
});

for (const [path, label] of [
  ["/login", "Email"],
  ["/signup", "First name"],
  ["/contact", "Message"],
  ["/explore", "Course title"],
] as const)
  test(`text typed on ${path} before the code is loaded stays`, async ({ page }) => {
    const letGo = await hold(page, "**/assets/*.js");
    await page.goto(path, { waitUntil: "commit" });
    await page.getByLabel(label, { exact: true }).fill("Ada");
    letGo();
    // The banner's code loads after everything else.
    await expect(page.getByRole("status", { name: "Connection" })).toBeAttached();
    await expect(page.getByLabel(label, { exact: true })).toHaveValue("Ada");
  });
