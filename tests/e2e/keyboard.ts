import { expect, type Locator, type Page } from "@playwright/test";

/**
 * Runs in the page: records the appearance of every focusable element without the focus, for a comparison with its
 * appearance when focused. Its ancestors count too: a label may be outlined for its checkbox.
 */
const recordLooks = `(() => {
  const lookOf = (element) => {
    const looks = [];
    const note = (style) => {
      const outline = style.outlineStyle === "none" ? "" : style.outlineWidth + style.outlineColor;
      looks.push([outline, style.boxShadow, style.borderColor].join(" "));
    };
    note(getComputedStyle(element, "::after"));
    for (let at = element; at && looks.length < 5; at = at.parentElement) note(getComputedStyle(at));
    return looks.join("|");
  };
  const looks = new WeakMap();
  for (const element of document.querySelectorAll("a, button, input, select, textarea, summary, [tabindex]"))
    if (element !== document.activeElement) looks.set(element, lookOf(element));
  window.focusLooks = { lookOf, looks };
})()`;

/** Runs in the page: returns the error in how the focused element is shown, or null. */
const findFault = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const { lookOf, looks } = window.focusLooks;
  if (looks.get(element) === lookOf(element)) return element.outerHTML.slice(0, 200) + " does not show its focus";
  const { left, top, right, bottom } = (element.closest("label") ?? element).getBoundingClientRect();
  // Something of it must be on top: in the middle or near one of its corners.
  const [xs, ys] = [[left + 4, (left + right) / 2, right - 4], [top + 4, (top + bottom) / 2, bottom - 4]];
  const isSeen = xs.some((x) => ys.some((y) => {
    const hit = document.elementFromPoint(x, y);
    return hit && (element.contains(hit) || hit.contains(element) && hit.matches("label, li, summary"));
  }));
  return isSeen ? null : element.outerHTML.slice(0, 200) + " has the focus out of sight";
})()`;

/** Maximum number of presses of a key to reach an element. */
const maxPresses = 150;

const hasFocus = async (page: Page, target: Locator): Promise<boolean> =>
  (await target.and(page.locator(":focus")).count()) > 0;

/**
 * Presses Tab, or Shift+Tab, until the target has the focus. Every element on the way must show that it has the focus
 * and must not be covered (WCAG 2.4.7, 2.4.11).
 */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target.first()).toBeAttached();
  await page.evaluate(recordLooks);
  for (let pressed = 0; pressed < maxPresses; pressed += 1) {
    await page.keyboard.press(key);
    // An answer that arrives at this moment may still move the focused element.
    await expect.poll(() => page.evaluate(findFault), page.url()).toBeNull();
    if (await hasFocus(page, target)) return;
  }
  throw new Error(`${maxPresses} times ${key} do not reach ${String(target)}`);
}

/** Focuses a button or a link and presses it. */
export async function press(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Focuses a field or a select and types over its content. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

/** Chooses in a select by typing its first letters, and expects the choice. */
export async function pick(page: Page, list: Locator, choice: string): Promise<void> {
  await type(page, list, choice);
  await expect(list.locator("option:checked")).toHaveText(choice);
}
