import type { Page } from "@playwright/test";

/** Holds back the code that matches, until the returned function is called. */
export async function hold(page: Page, code: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(code, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}
