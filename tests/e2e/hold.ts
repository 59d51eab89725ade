import type { Page } from "@playwright/test";

/** Holds back the matching requests until the returned function is called. */
export async function hold(page: Page, requests: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(requests, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Holds back all timers, and runs them at the end of the next click, before the next paint. */
export async function holdTimersUntilPress(page: Page): Promise<void> {
  // Runs as text, because the types of tests don't include the window.
  await page.evaluate(`{
    const { setTimeout, clearTimeout } = window;
    const held = new Map();
    let last = 0;
    window.setTimeout = (run, _, ...given) => {
      held.set(--last, () => run(...given));
      return last;
    };
    window.clearTimeout = (id) => void (held.delete(id) || clearTimeout(id));
    const letGo = () => {
      Object.assign(window, { setTimeout, clearTimeout });
      for (const run of held.values()) run();
    };
    addEventListener("click", letGo, { once: true });
  }`);
}
