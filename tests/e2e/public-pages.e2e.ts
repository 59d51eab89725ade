import { signedUp } from "./people.ts";
import { openSidebar } from "./steps.ts";
import { expect, test } from "./story.ts";

const paths = [
  "/",
  "/login",
  "/signup",
  "/reset-password",
  "/verify-email",
  "/about-us",
  "/meet-the-team",
  "/explore",
  "/programmes",
  "/auctions",
  "/grading-guide",
  "/api/docs",
  "/contact",
  "/privacy",
  "/terms",
];

// React reports HTML that it can't hydrate in the console, which every story watches.
test("React hydrates every public page", async ({ page }) => {
  for (const path of paths) {
    await page.goto(path);
    // Only hydrated React handles this click.
    await openSidebar(page);
  }
});

test("React hydrates every public page for a signed-in user", async ({ page, server }) => {
  const ada = await signedUp(page, server.url, "student");
  for (const path of paths.filter((each) => each !== "/login" && each !== "/signup")) {
    await page.goto(path);
    await expect(page.getByRole("banner").getByRole("button", { name: ada.email }), path).toBeVisible();
  }
});

test("public pages can be read without JavaScript", async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("heading").first(), path).toBeVisible();
  }
  await context.close();
});
