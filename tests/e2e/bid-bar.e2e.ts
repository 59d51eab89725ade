import type { Page } from "@playwright/test";
import { endsIn, openAsBidder, panel, sellAnItem } from "./auctioneer.ts";
import { expect, test } from "./story.ts";

const bar = (page: Page) => page.getByRole("complementary", { name: "Price and time left" });
const sizes = [
  { width: 390, height: 700 },
  { width: 768, height: 1024 },
];

for (const viewport of sizes)
  test.describe(`at ${viewport.width} pixels`, () => {
    test.use({ viewport });

    test("price, time left and the button to bid stay in view", async ({ page, server, anotherBrowser }) => {
      const desk = await sellAnItem(server, await anotherBrowser());
      await openAsBidder(page, server, desk);
      await expect(bar(page)).toContainText(/R150\.00.*h \d\dm \d\ds left/);
      await expect(panel(page).getByLabel("Your bid")).toBeVisible();
      await bar(page).getByRole("button", { name: "Bid" }).click();
      await expect(panel(page).getByLabel("Your bid")).toBeFocused();
      await expect(panel(page).getByRole("button", { name: "Place bid" })).toBeInViewport({ ratio: 1 });
      await expect(bar(page)).toHaveCount(0);

      await page.evaluate("scrollTo(0, 0)");
      await expect(bar(page)).toBeVisible();
      await endsIn(server, desk, 0);
      await expect(bar(page)).toHaveCount(0);
    });
  });

test("on a wide page the form itself is in view", async ({ page, server, anotherBrowser }) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await page.goto(`/product/${desk}`);
  await expect(panel(page).getByRole("link", { name: "Log in to bid" })).toBeInViewport({ ratio: 1 });
  await expect(bar(page)).toHaveCount(0);
});

test.describe("to a visitor", () => {
  test.use({ viewport: { width: 390, height: 600 } });

  test("the bar leads to the login and back", async ({ page, server, anotherBrowser }) => {
    const desk = await sellAnItem(server, await anotherBrowser());
    await page.goto(`/product/${desk}`);
    await bar(page).getByRole("link", { name: "Bid" }).click();
    await expect(page).toHaveURL(`/login?next=%2Fproduct%2F${desk}`);
  });
});

test("the last hour and the last minutes look urgent", async ({ page, server, anotherBrowser }) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await page.goto(`/product/${desk}`);
  const timer = panel(page).getByRole("timer");
  await expect(timer).not.toHaveAttribute("data-urgency");
  await endsIn(server, desk, 40 * 60_000);
  await expect(timer).toHaveAttribute("data-urgency", "lastHour");
  await endsIn(server, desk, 4 * 60_000);
  await expect(timer).toHaveAttribute("data-urgency", "lastMinutes");
});
