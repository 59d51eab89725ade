import { loginButton, openSidebar } from "./steps.ts";
import { expectLargeTargets, expectStill } from "./still-and-large.ts";
import { expect, test } from "./story.ts";

test.use({ contextOptions: { reducedMotion: "reduce" }, viewport: { width: 390, height: 844 } });

const publicPages = [
  "/",
  "/login",
  "/signup",
  "/reset-password",
  "/explore",
  "/programmes",
  "/contact",
  "/about-us",
  "/meet-the-team",
  "/auctions",
  "/grading-guide",
  "/privacy",
  "/terms",
];

test("on every public page nothing moves unprompted, and everything is large enough to press", async ({
  page,
}) => {
  for (const path of publicPages) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await openSidebar(page);
    await expectStill(page, path);
    await page.keyboard.press("Escape");
    await expectLargeTargets(page, path);
  }
  await page.goto("/login");
  await loginButton(page).click();
  await expect(page.getByRole("dialog", { name: "Login Error" })).toBeVisible();
  await expectStill(page, "with a dialog");
});
