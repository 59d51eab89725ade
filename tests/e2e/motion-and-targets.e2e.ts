import type { Page } from "@playwright/test";
import { loginButton, openSidebar } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ contextOptions: { reducedMotion: "reduce" }, viewport: { width: 390, height: 844 } });

const publicPages = [
  "/",
  "/login",
  "/signup",
  "/reset-password",
  "/explore",
  "/contact",
  "/about-us",
  "/meet-the-team",
  "/auctions",
  "/grading-guide",
  "/privacy",
  "/terms",
];

const animations = (page: Page) => page.evaluate("document.getAnimations().length");

/** Runs in the page: what can be pressed and is smaller than WCAG 2.5.8 asks, but for links within a text. */
const findSmall = `[...document.querySelectorAll("a, button, input, select, textarea, summary")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest("[aria-hidden]"))
  .filter((element) => getComputedStyle(element).display !== "inline")
  .map((element) => element.closest("label") ?? element)
  .filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return Math.min(width, height) < 24;
  })
  .map((element) => element.outerHTML.slice(0, 160))`;

test("on no public page anything moves by itself, and everything is large enough to press", async ({
  page,
}) => {
  for (const path of publicPages) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await openSidebar(page);
    expect.soft(await animations(page), path).toBe(0);
    await page.keyboard.press("Escape");
    expect.soft(await page.evaluate(findSmall), path).toEqual([]);
  }
  await page.goto("/login");
  await loginButton(page).click();
  await expect(page.getByRole("dialog", { name: "Login Error" })).toBeVisible();
  expect(await animations(page)).toBe(0);
});
