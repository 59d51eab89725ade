import type { Locator, Page } from "@playwright/test";
import { openSidebar } from "./steps.ts";
import { expect, test } from "./story.ts";

const carousel = (page: Page) => page.getByRole("region", { name: "What Wayfare does" });
/** The slide in the middle. */
const shown = (page: Page): Locator => carousel(page).locator("[aria-current]");
const figures = (page: Page) =>
  page.getByRole("region", { name: "Wayfare in figures" }).locator("[aria-hidden]");
const full = ["1000", "1000+", "95%"];

/** From here on time goes by only as the story says. */
async function stopTime(page: Page): Promise<void> {
  const morning = new Date("2026-03-02T08:00:00Z");
  await page.clock.install({ time: morning });
  await page.clock.pauseAt(new Date(morning.getTime() + 1000));
}

/** The page once React answers: the carousel's button says so when it turns by itself. */
async function openHome(page: Page): Promise<void> {
  await page.goto("/");
  await expect(carousel(page).getByRole("button", { name: "Pause the carousel" })).toBeVisible();
}

test("the features take turns, wait for the pointer, and stop when paused", async ({ page }) => {
  await stopTime(page);
  await openHome(page);
  await expect(shown(page)).toContainText("University Matching");
  await page.clock.runFor(5000);
  await expect(shown(page)).toContainText("Expert Agents");
  await carousel(page).hover();
  await page.clock.runFor(20_000);
  await expect(shown(page)).toContainText("Expert Agents");

  await page.mouse.move(1, 1);
  await page.clock.runFor(5000);
  await expect(shown(page)).toContainText("Visa Support");
  await carousel(page).getByRole("button", { name: "Pause the carousel" }).click();
  await page.mouse.move(1, 1);
  await page.getByRole("link", { name: "Get started" }).focus();
  await page.clock.runFor(20_000);
  await expect(shown(page)).toContainText("Visa Support");
});

test("the keyboard turns the features, and a reader hears which one it is", async ({ page }) => {
  await openHome(page);
  await carousel(page).getByRole("button", { name: "Next feature" }).focus();
  await page.keyboard.press("Enter");
  await expect(shown(page)).toContainText("Expert Agents");
  await expect(carousel(page).getByRole("status")).toHaveText("Expert Agents");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(shown(page)).toContainText("Visa Support");
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
    const slide = await shown(page).boundingBox();
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
  await expect(figures(page)).toHaveText(["0", "0+", "0%"]);
  await figures(page).first().scrollIntoViewIfNeeded();
  // The observer tells in its own time, and only then the frames begin.
  await expect(async () => {
    await page.clock.runFor(100);
    await expect(figures(page).first()).not.toHaveText("0", { timeout: 50 });
  }).toPass();
  await expect(figures(page).first()).not.toHaveText("1000");
  await page.clock.runFor(2000);
  await expect(figures(page)).toHaveText(full);
});

test.describe("for people who ask for reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("nothing moves by itself, and the figures stand there", async ({ page }) => {
    await stopTime(page);
    await page.goto("/");
    await openSidebar(page);
    await page.keyboard.press("Escape");
    await expect(carousel(page).getByRole("button", { name: "Play the carousel" })).toBeVisible();
    await page.clock.runFor(20_000);
    await expect(shown(page)).toContainText("University Matching");
    await expect(figures(page)).toHaveText(full);
  });
});

/** Pixels from the headline of the countries to the next one: nothing below moves when they change. */
async function roomForCountries(page: Page): Promise<number> {
  const headline = await page.getByRole("heading", { name: "Where would you like to go?" }).boundingBox();
  const next = await page.getByRole("heading", { name: "What students say" }).boundingBox();
  return (next?.y ?? 0) - (headline?.y ?? 0);
}

test("another country shows its facts", async ({ page }) => {
  await openHome(page);
  const buttons = page.getByRole("list", { name: "Countries" }).getByRole("button");
  await expect(buttons).toHaveText([
    "United Kingdom",
    "Canada",
    "United States",
    "Ireland",
    "United Arab Emirates",
  ]);
  await expect(page.getByRole("button", { name: "United Kingdom", pressed: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "United Kingdom" })).toBeVisible();
  const before = await roomForCountries(page);

  await page.getByRole("button", { name: "Canada" }).click();
  await expect(page.getByRole("button", { name: "Canada", pressed: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "United Kingdom", pressed: false })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Canada" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "United Kingdom" })).toBeHidden();
  await expect(page.getByText("Canadian dollar")).toBeVisible();
  expect(await roomForCountries(page)).toBe(before);
});

test("questions open and close", async ({ page }) => {
  await page.goto("/");
  const answer = page.getByText("A transcript, a CV, a personal statement");
  await expect(answer).toBeHidden();
  await page.getByText("Which documents will I need?").click();
  await expect(answer).toBeVisible();
  await page.getByText("Which documents will I need?").click();
  await expect(answer).toBeHidden();
});

test("three students say what it was like, and the footer leads on", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("figure")).toHaveCount(3);
  const links = page.getByRole("navigation", { name: "Footer" }).getByRole("link");
  await expect(links).toHaveText(["About", "Contact", "Privacy", "Terms"]);
  const social = page.getByRole("list", { name: "Social media" }).getByRole("link");
  for (const [at, name] of ["Facebook", "Instagram", "X", "LinkedIn"].entries())
    await expect(social.nth(at)).toHaveAccessibleName(name);
});

test("on a narrow screen Sign Up moves to the sidebar", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign Up" })).toBeHidden();
  await expect((await openSidebar(page)).getByRole("link", { name: "Sign Up" })).toBeVisible();
});

test("a visit asks no other site for anything", async ({ page, server }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/", { waitUntil: "networkidle" });
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((address) => !address.startsWith(server.url))).toEqual([]);
});

test("without JavaScript everything can be read", async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await expect(figures(page)).toHaveText(full);
  for (const text of ["University Matching", "Expert Agents", "Visa Support", "UAE dirham"])
    await expect(page.getByText(text).first()).toBeVisible();
  await page.getByText("How do I begin?").click();
  await expect(page.getByText("Sign up as a student, fill in your profile")).toBeVisible();
  await context.close();
});
