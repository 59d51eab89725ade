import { expect, type Page } from "@playwright/test";

/** Runs in the page: what can be pressed and is smaller than this, but for links within a text. */
const findSmall = (
  width: number,
  height: number,
) => `[...document.querySelectorAll("a, button, input, select, textarea, summary")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest("[aria-hidden]"))
  .filter((element) => getComputedStyle(element).display !== "inline")
  .map((element) => element.closest("label") ?? element)
  .filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width < ${width} || height < ${height};
  })
  .map((element) => element.outerHTML.slice(0, 160))`;

/** Runs in the page: what moves. A part that only appears after a while takes no time for it. */
const findMoving = `document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().duration > 0)
  .map(({ animationName, transitionProperty, effect }) =>
    (animationName ?? transitionProperty) + " of " + effect.target.outerHTML.slice(0, 160))`;

/** For people who ask for reduced motion. */
export const expectStill = async (page: Page, where: string): Promise<void> =>
  expect.soft(await page.evaluate(findMoving), `what moves, ${where}`).toEqual([]);

/** 24 CSS pixels at least both ways, as WCAG 2.5.8 asks; under a finger 44 from top to bottom. */
export async function expectLargeTargets(page: Page, where: string): Promise<void> {
  expect.soft(await page.evaluate(findSmall(24, 24)), `what is too small to press, ${where}`).toEqual([]);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  expect.soft(await page.evaluate(findSmall(24, 44)), `what is too small to touch, ${where}`).toEqual([]);
  await devTools.detach();
}
