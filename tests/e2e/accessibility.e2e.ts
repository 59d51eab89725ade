import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { bids, opensAsBidder, panel, placeBid, soldBySomebody } from "./auctioneer.ts";
import { nameOf, signedInAsAdmin, signedUp } from "./people.ts";
import { agentCard, loginButton, openSidebar } from "./steps.ts";
import { expect, test } from "./story.ts";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const telephone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

// Colours that are still fading are nobody's.
test.use({ contextOptions: { reducedMotion: "reduce" } });

/** No violation, in light and dark, narrow and wide. */
async function expectAccessible(page: Page): Promise<void> {
  for (const size of [telephone, desktop]) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      expect.soft(found, `${page.url()}, ${size.width} wide, ${colorScheme}`).toEqual([]);
    }
  }
}

const headline = (page: Page) => page.getByRole("heading", { level: 1 });

const publicPages = [
  "/",
  "/login",
  "/signup",
  "/reset-password",
  "/explore",
  "/contact",
  "/about-us",
  "/meet-the-team",
  "/privacy",
  "/terms",
];
for (const path of publicPages)
  test(`${path} is accessible`, async ({ page }) => {
    await page.goto(path);
    await expect(headline(page)).toBeVisible();
    await expectAccessible(page);
  });

test("the error modal is accessible", async ({ page }) => {
  await page.goto("/login");
  await loginButton(page).click();
  await expect(page.getByRole("dialog", { name: "Login Error" })).toBeVisible();
  await expectAccessible(page);
});

test("the sidebar is accessible", async ({ page }) => {
  await page.goto("/privacy");
  await openSidebar(page);
  await expectAccessible(page);
});

test("the student dashboard is accessible", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  await page.goto("/student-dashboard");
  await expect(headline(page)).toHaveText("Hello, Ada");
  await expectAccessible(page);
});

test("what agents and admins see is accessible", async ({ page, server, anotherBrowser }) => {
  const kofi = await signedUp(page, server.url, "agent");
  await page.goto("/agent-pending");
  await expect(headline(page)).toHaveText("Account Pending Approval");
  await expectAccessible(page);

  const admin = await anotherBrowser();
  await admin.emulateMedia({ reducedMotion: "reduce" });
  await signedInAsAdmin(admin, server.url);
  await admin.goto("/admin-dashboard");
  const card = agentCard(admin, nameOf(kofi));
  await expect(card).toBeVisible();
  await expectAccessible(admin);
  await card.getByRole("button", { name: "Approve" }).click();
  await expect(headline(page)).toHaveText("Hello, Kofi");
  await expectAccessible(page);
});

test("a product's page and My bids are accessible", async ({ page, server, anotherBrowser }) => {
  const desk = await soldBySomebody(server, await anotherBrowser());
  await page.goto(`/product/${desk}`);
  await expect(panel(page).getByRole("link", { name: "Log in to bid" })).toBeVisible();
  await expectAccessible(page);
  await opensAsBidder(page, server, desk);
  await placeBid(page, "150");
  await expect(bids(page)).toHaveText(/^You/);
  await expectAccessible(page);
  await page.goto("/my-bids");
  await expect(page.getByRole("link", { name: "Walnut writing desk" })).toBeVisible();
  await expectAccessible(page);
});
