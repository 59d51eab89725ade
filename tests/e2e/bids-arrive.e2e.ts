import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { openAsBidder, panel, sellAnItem } from "./auctioneer.ts";
import { call } from "./call.ts";
import { signedUp } from "./people.ts";
import { expect, test } from "./story.ts";

/** Records layout shifts from now on, as browsers measure them. */
const recordShifts = (page: Page) =>
  page.evaluate(`
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        shifts.push([value, ...sources.map(({ node }) => node?.textContent)]);
    }).observe({ type: "layout-shift" });`);
const recordedShifts = (page: Page): Promise<unknown> =>
  page.evaluate(
    "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts))))",
  );

for (const width of [390, 768, 1440])
  test(`nothing moves around the bid form while 20 bids arrive, at ${width} pixels`, async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const desk = await sellAnItem(server, await anotherBrowser());
    const rivals = [await anotherBrowser(), await anotherBrowser()];
    for (const rival of rivals) await signedUp(rival, server.url, "student");
    await page.setViewportSize({ width, height: 900 });
    await openAsBidder(page, server, desk);
    await expect(panel(page).getByRole("button", { name: "Place bid" })).toBeEnabled();
    await expect(page.getByRole("button", { name: /^Watch/ })).toBeVisible();
    await recordShifts(page);
    for (let bid = 1; bid <= 20; bid += 1) {
      const amount = 15_000 + bid * 100;
      const rival = rivals[bid % 2] ?? page;
      const bidRequest = { productId: desk, amount, idempotencyKey: randomUUID() };
      await call(rival.request, server.url, "auctions/bid", bidRequest);
      await expect(
        panel(page)
          .getByText(`R${amount / 100}.00`)
          .first(),
      ).toBeVisible();
    }
    expect(await recordedShifts(page)).toEqual([]);
  });
