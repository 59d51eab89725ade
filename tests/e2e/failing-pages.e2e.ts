import { messageOf } from "#tests/support/server-process.ts";
import { openSidebar } from "./steps.ts";
import { expect, test } from "./story.ts";

const team = "**/assets/meet-the-team-*.js";

/** Finds the line of the log about an error that a browser reported. */
const reported = (line: string): object | null =>
  messageOf(line) === "a browser's error" ? JSON.parse(line) : null;

test("a screen that breaks says so in place of the page, and works again after a reload", async ({
  page,
  server,
  complaints,
}) => {
  await page.goto("/");
  await openSidebar(page);
  await page.route(team, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: 'export default function Broken() { throw new Error("a bug of ours"); }',
    }),
  );
  await page
    .getByRole("navigation", { name: "Sidebar" })
    .getByRole("link", { name: "Meet the Team" })
    .click();
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  // The crash screen is still in its frame, with links to other pages.
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await expect(page.getByRole("link", { name: "Contact us" })).toHaveAttribute("href", "/contact");
  // React writes to the console, which is part of this story.
  expect(complaints.splice(0).join()).toContain("a bug of ours");

  // The server receives the error, but not its text.
  expect(await server.find(reported)).toMatchObject({
    name: "Error",
    page: "/meet-the-team",
    places: [expect.stringMatching(/^meet-the-team-[\w-]+\.js:1:\d+$/), ...Array(7).fill(expect.any(String))],
  });
  expect(server.lines.join()).not.toContain("a bug of ours");

  await page.unroute(team);
  await page.getByRole("link", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { name: "Meet the Team" })).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, expectsRefusals: true });

  test("an unknown address gets a complete page", async ({ page }) => {
    const response = await page.goto("/no/such/place");
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    await page.getByRole("link", { name: "Go to the home page" }).click();
    await expect(page).toHaveURL("/");
  });
});
