import type { Page } from "@playwright/test";
import { bidTexts } from "#domain/bid.ts";
import { panel, sellAnItem } from "./auctioneer.ts";
import { hold } from "./hold.ts";
import { signedUp } from "./people.ts";
import { isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";

const code = "**/assets/*.js";
const login = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Login" });
const toLogIn = (page: Page) => panel(page).getByRole("link", { name: "Log in to bid" });

/** Returns how far visible parts have moved unprompted, as browsers measure it. */
const layoutShift = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
      .observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
  })`);

for (const width of [390, 768, 1440])
  test(`no signed-in viewer is told to log in while the code is loading, at ${width} pixels`, async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const desk = await sellAnItem(server, await anotherBrowser());
    const { email } = await signedUp(page, server.url, "student");
    await page.setViewportSize({ width, height: 900 });
    const letGo = await hold(page, code);
    for (const path of ["/", "/auctions", `/product/${desk}`]) {
      await page.goto(path, { waitUntil: "commit" });
      await expect(page.getByRole("banner").getByRole("link", { name: "Notifications" })).toBeVisible();
      await expect(login(page)).toHaveCount(0);
    }
    await expect(panel(page).getByText("R150.00").first()).toBeVisible();
    await expect(toLogIn(page)).toHaveCount(0);
    letGo();
    await expect(panel(page).getByRole("button", { name: "Place bid" })).toBeVisible();
    await expect(login(page)).toHaveCount(0);
    if (width > 768)
      await expect(page.getByRole("banner").getByRole("button", { name: email })).toBeVisible();
    expect(await layoutShift(page)).toBeLessThan(0.02);
  });

test("a bid is typed before the code is loaded, and placed once it is", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await signedUp(page, server.url, "student");
  const letGo = await hold(page, code);
  await page.goto(`/product/${desk}`, { waitUntil: "commit" });
  const amount = panel(page).getByLabel("Your bid");
  await expect(amount).toHaveValue("150");
  await amount.fill("175");
  await expect(panel(page).getByRole("button", { name: "Place bid" })).toBeDisabled();
  letGo();
  await panel(page).getByRole("button", { name: "Place bid" }).click();
  await expect(page.getByText(bidTexts.placed)).toBeVisible();
  await expect(panel(page).getByText("R175.00").first()).toBeVisible();
});

test("a visitor is offered the login immediately", async ({ page, server, anotherBrowser }) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  const letGo = await hold(page, code);
  await page.goto(`/product/${desk}`, { waitUntil: "commit" });
  await expect(login(page)).toBeVisible();
  await expect(toLogIn(page)).toBeVisible();
  letGo();
  await isHydrated(page);
  await expect(login(page)).toBeVisible();
  await expect(toLogIn(page)).toBeVisible();
});

test("a hint without a session gives way to the server's answer", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await signedUp(page, server.url, "student");
  await page.context().clearCookies({ name: "wayfare.session_token" });
  await page.goto(`/product/${desk}`);
  await isHydrated(page);
  await expect(login(page)).toBeVisible();
  await expect(toLogIn(page)).toBeVisible();
});

test("links pressed before the code is loaded keep the visitor's destination", async ({ page }) => {
  const letGo = await hold(page, code);
  const next = "?next=%2Fgrading-guide%3Ffrom%3Dx";
  await page.goto(`/login${next}`, { waitUntil: "commit" });
  for (const [name, path] of [
    ["Sign up here!", "/signup"],
    ["Login here!", "/login"],
    ["Reset here", "/reset-password"],
    ["Login here", "/login"],
  ] as const) {
    const link = page.getByRole("main").getByRole("link", { name });
    await expect(link).toHaveAttribute("href", /next=/);
    await link.click();
    await expect(page).toHaveURL(path + next);
  }
  letGo();
});

test("a country can be chosen once the code is loaded", async ({ page }) => {
  const letGo = await hold(page, code);
  await page.goto("/", { waitUntil: "commit" });
  const buttons = page.getByRole("list", { name: "Countries" }).getByRole("button");
  await expect(buttons.first()).toBeDisabled();
  letGo();
  await expect(buttons.first()).toBeEnabled();
});
