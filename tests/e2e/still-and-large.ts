import { expect, type Page } from "@playwright/test";

/** Runs in the page: returns targets that are smaller than WCAG 2.5.8 requires, except for links within text. */
const findSmall = `[...document.querySelectorAll("a, button, input, select, textarea, summary")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest("[aria-hidden]"))
  .filter((element) => getComputedStyle(element).display !== "inline")
  .map((element) => element.closest("label") ?? element)
  .filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return Math.min(width, height) < 24;
  })
  .map((element) => element.outerHTML.slice(0, 160))`;

/** Runs in the page: returns moving elements, except parts that appear after a delay without a transition. */
const findMoving = `document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().duration > 0)
  .map(({ animationName, transitionProperty, effect }) =>
    (animationName ?? transitionProperty) + " of " + effect.target.outerHTML.slice(0, 160))`;

/** Expects nothing to move for people who prefer reduced motion. */
export const expectStill = async (page: Page, where: string): Promise<void> =>
  expect.soft(await page.evaluate(findMoving), `what moves, ${where}`).toEqual([]);

/** Expects targets of at least 24 by 24 CSS pixels. */
export const expectLargeTargets = async (page: Page, where: string): Promise<void> =>
  expect.soft(await page.evaluate(findSmall), `what is too small to press, ${where}`).toEqual([]);
