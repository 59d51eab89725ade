import type { Page } from "@playwright/test";
import { steps } from "../../web/content/steps.ts";
import { seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

const searchButton = (page: Page) => page.getByRole("button", { name: "Search", exact: true });

/** Opens the page and answers in place of the search site, so that no story leaves this machine. */
async function openExplore(page: Page): Promise<void> {
  await page
    .context()
    .route("https://duckduckgo.com/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Results</title>" }),
    );
  await page.goto("/explore");
  await expect(searchButton(page)).toBeEnabled();
}

test("Search opens the external search in a new tab", async ({ page }) => {
  await openExplore(page);
  await page.getByLabel("Course title").fill("Law & economics");
  await page.getByLabel("Location (optional)").selectOption("Germany");
  const opened = page.waitForEvent("popup");
  await searchButton(page).click();
  const results = await opened;
  await results.waitForLoadState();
  expect(results.url()).toBe("https://duckduckgo.com/?q=Law%20%26%20economics+degree+Germany");
  expect(await results.evaluate("window.opener")).toBeNull();
  // The form keeps its text for the next search.
  await expect(page).toHaveURL("/explore");
  await expect(page.getByLabel("Course title")).toHaveValue("Law & economics");
});

test("a flag chooses its location", async ({ page }) => {
  await openExplore(page);
  await page.getByRole("button", { name: "Ireland" }).click();
  await expect(page.getByLabel("Location (optional)")).toHaveValue("Ireland");
});

test("the location may be left open", async ({ page }) => {
  await openExplore(page);
  await page.getByLabel("Course title").fill("Nursing");
  const opened = page.waitForEvent("popup");
  await page.keyboard.press("Enter");
  const results = await opened;
  await results.waitForLoadState();
  expect(results.url()).toBe("https://duckduckgo.com/?q=Nursing+degree+");
});

test("a search needs a course title", async ({ page }) => {
  await openExplore(page);
  await searchButton(page).click();
  await seeError(page, "Search Error", "Please enter a course title.", null);
  await expect(page.getByLabel("Course title")).toBeFocused();
});

test("six locations with flags of our own, and six steps", async ({ page, server }) => {
  await openExplore(page);
  const names = ["Canada", "United States", "United Kingdom", "Germany", "Ireland", "Australia"];
  await expect(page.getByLabel("Location (optional)").getByRole("option")).toHaveText([
    "Any location",
    ...names,
  ]);
  const locations = page.getByRole("list", { name: "Locations" }).getByRole("listitem");
  await expect(locations).toHaveText(names);
  for (const flag of await locations.locator("img").all())
    expect(new URL((await flag.getAttribute("src")) ?? "", server.url).origin).toBe(server.url);
  for (const [at, { title }] of steps.entries())
    await expect(page.getByRole("heading", { name: `${at + 1}. ${title}` })).toBeVisible();
});
