import type { Locator, Page } from "@playwright/test";
import { countries } from "../../web/content/countries.ts";
import { faq } from "../../web/content/faq.ts";
import { features } from "../../web/content/features.ts";
import { footerLinks, socialLinks } from "../../web/content/footer.ts";
import { stats } from "../../web/content/stats.ts";
import { openSidebar } from "./steps.ts";
import { expect, test } from "./story.ts";

const carousel = (page: Page) => page.getByRole("region", { name: "What Wayfare does" });
/** Locates the slide in the middle. */
const currentSlide = (page: Page): Locator => carousel(page).locator("[aria-current]");
const figures = (page: Page) =>
  page.getByRole("region", { name: "Wayfare in figures" }).locator("[aria-hidden]");
const full = stats.map(({ value, suffix }) => `${value}${suffix}`);

/** Returns one of the consultancy's entries, counted from 0. */
function entry<Entry>(entries: readonly Entry[], at: number): Entry {
  const item = entries[at];
  if (item === undefined) throw new Error(`there is no entry ${at}`);
  return item;
}
const feature = (at: number) => entry(features, at).title;

/** Stops the page's clock: from here on, time only passes as the story says. */
async function stopTime(page: Page): Promise<void> {
  const morning = new Date("2026-03-02T08:00:00Z");
  await page.clock.install({ time: morning });
  await page.clock.pauseAt(new Date(morning.getTime() + 1000));
}

/** Opens the page and waits for hydration, which makes the carousel's button say that it turns automatically. */
async function openHome(page: Page): Promise<void> {
  await page.goto("/");
  await expect(carousel(page).getByRole("button", { name: "Pause the carousel" })).toBeVisible();
}

test("the features rotate, wait for the pointer, and stop when paused", async ({ page }) => {
  await stopTime(page);
  await openHome(page);
  await expect(currentSlide(page)).toContainText(feature(0));
  await page.clock.runFor(5000);
  await expect(currentSlide(page)).toContainText(feature(1));
  await carousel(page).hover();
  await page.clock.runFor(20_000);
  await expect(currentSlide(page)).toContainText(feature(1));

  await page.mouse.move(1, 1);
  await page.clock.runFor(5000);
  await expect(currentSlide(page)).toContainText(feature(2));
  await carousel(page).getByRole("button", { name: "Pause the carousel" }).click();
  await page.mouse.move(1, 1);
  await page.getByRole("link", { name: "Get started" }).focus();
  await page.clock.runFor(20_000);
  await expect(currentSlide(page)).toContainText(feature(2));
});

test("the keyboard turns the features, and a screen reader announces the current one", async ({ page }) => {
  await openHome(page);
  await carousel(page).getByRole("button", { name: "Next feature" }).focus();
  await page.keyboard.press("Enter");
  await expect(currentSlide(page)).toContainText(feature(1));
  await expect(carousel(page).getByRole("status")).toHaveText(feature(1));
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(currentSlide(page)).toContainText(feature(2));
});

test("a swipe turns the features, and a screen reader announces the current one", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openHome(page);
  await carousel(page).hover();
  // A finger scrolls the list, as this does.
  await page.evaluate(`document.querySelector("[aria-roledescription=carousel] ul").scrollBy({ left: 350 })`);
  await expect(currentSlide(page)).toContainText(feature(1));
  await expect(carousel(page).getByRole("status")).toHaveText(feature(1));
});

test("the middle slide takes 30% of a wide page and all of a narrow one", async ({ page }) => {
  await page.goto("/");
  for (const [width, least, most] of [
    [1440, 0.28, 0.32],
    [768, 0.28, 0.32],
    [390, 0.98, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const room = await carousel(page).getByRole("list").boundingBox();
    const slide = await currentSlide(page).boundingBox();
    const share = (slide?.width ?? 0) / (room?.width ?? 1);
    expect(share, `${width}`).toBeGreaterThanOrEqual(least);
    expect(share, `${width}`).toBeLessThanOrEqual(most);
    const middle = (box: typeof room) => (box?.x ?? 0) + (box?.width ?? 0) / 2;
    expect(Math.abs(middle(room) - middle(slide))).toBeLessThan(2);
  }
});

test("the figures count up once they are seen", async ({ page }) => {
  await stopTime(page);
  await openHome(page);
  await expect(figures(page)).toHaveText(stats.map(({ suffix }) => `0${suffix}`));
  await figures(page).first().scrollIntoViewIfNeeded();
  // The observer calls back at an unknown time, and the frames begin after that.
  await expect(async () => {
    await page.clock.runFor(100);
    await expect(figures(page).first()).not.toHaveText(`0${entry(stats, 0).suffix}`, { timeout: 50 });
  }).toPass();
  await expect(figures(page).first()).not.toHaveText(entry(full, 0));
  await page.clock.runFor(2000);
  await expect(figures(page)).toHaveText(full);
});

test.describe("for people who prefer reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("nothing moves unprompted, and the figures are shown in full", async ({ page }) => {
    await stopTime(page);
    await page.goto("/");
    // Lazy-loaded parts arrive after a moment.
    await page.clock.runFor(1_000);
    await openSidebar(page);
    await page.keyboard.press("Escape");
    await expect(carousel(page).getByRole("button", { name: "Play the carousel" })).toBeVisible();
    await page.clock.runFor(20_000);
    await expect(currentSlide(page)).toContainText(feature(0));
    await expect(figures(page)).toHaveText(full);
  });
});

/**
 * Returns the pixels between the headline of the countries and the next one, which must not change with the country.
 */
async function roomForCountries(page: Page): Promise<number> {
  const headline = await page.getByRole("heading", { name: "Where would you like to go?" }).boundingBox();
  const next = await page.getByRole("heading", { name: "What students say" }).boundingBox();
  return (next?.y ?? 0) - (headline?.y ?? 0);
}

test("another country shows its facts", async ({ page }) => {
  await openHome(page);
  const buttons = page.getByRole("list", { name: "Countries" }).getByRole("button");
  await expect(buttons).toHaveText(countries.map(({ name }) => name));
  const [first, second] = [countries[0], entry(countries, 1)];
  await expect(page.getByRole("button", { name: first.name, exact: true, pressed: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: first.name, exact: true })).toBeVisible();
  const before = await roomForCountries(page);

  await page.getByRole("button", { name: second.name, exact: true }).click();
  await expect(page.getByRole("button", { name: second.name, exact: true, pressed: true })).toBeVisible();
  await expect(page.getByRole("button", { name: first.name, exact: true, pressed: false })).toBeVisible();
  await expect(page.getByRole("heading", { name: second.name, exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: first.name, exact: true })).toBeHidden();
  await expect(page.getByText(second.line)).toBeVisible();
  expect(await roomForCountries(page)).toBe(before);
});

test("questions open and close", async ({ page }) => {
  await page.goto("/");
  const answer = page.getByText(entry(faq, 1).answer);
  await expect(answer).toBeHidden();
  await page.getByText(entry(faq, 1).question).click();
  await expect(answer).toBeVisible();
  await page.getByText(entry(faq, 1).question).click();
  await expect(answer).toBeHidden();
});

test("three students tell their stories, and the footer links to more", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("figure")).toHaveCount(3);
  const links = page.getByRole("navigation", { name: "Footer" }).getByRole("link");
  await expect(links).toHaveText(footerLinks.map(({ label }) => label));
  const social = page.getByRole("list", { name: "Social media" }).getByRole("link");
  for (const [at, { name }] of socialLinks.entries()) await expect(social.nth(at)).toHaveAccessibleName(name);
});

test("on a narrow screen Sign Up moves to the sidebar", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign Up" })).toBeHidden();
  await expect((await openSidebar(page)).getByRole("link", { name: "Sign Up" })).toBeVisible();
});

test("a visit sends no request to another site", async ({ page, server }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto("/", { waitUntil: "networkidle" });
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  expect(requests.length).toBeGreaterThan(10);
  expect(requests.filter((address) => !address.startsWith(server.url))).toEqual([]);
});

test("on paper the figures are shown in full, without menus and buttons", async ({ page }) => {
  await openHome(page);
  await expect(figures(page)).toHaveText(stats.map(({ suffix }) => `0${suffix}`));
  await page.emulateMedia({ media: "print" });
  for (const figure of full) await expect(page.getByText(figure, { exact: true }).first()).toBeVisible();
  await expect(figures(page).first()).toBeHidden();
  for (const hidden of [
    page.getByRole("navigation"),
    page.getByRole("contentinfo"),
    page.getByRole("button"),
  ])
    await expect(hidden).toHaveCount(0);
});

test("without JavaScript everything can be read", async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  // Locators don't find the text inside noscript.
  await expect(page.locator("noscript p")).toBeVisible();
  await expect(figures(page)).toHaveText(full);
  for (const text of [feature(0), feature(1), feature(2), entry(countries, 4).line])
    await expect(page.getByText(text).first()).toBeVisible();
  await page.getByText(entry(faq, 0).question).click();
  await expect(page.getByText(entry(faq, 0).answer)).toBeVisible();
  await context.close();
});
