import { test as base, expect, type Page } from "@playwright/test";
import axe, { type AxeResults } from "axe-core";
import { screens } from "#tests/screens/all-screens.ts";
import { type Fixture, openFixture } from "../screens/fixture.ts";
import { type Screen, screenName } from "../screens/screen.ts";
import { show } from "../screens/show.ts";
import { expectLargeTargets, expectStill } from "./still-and-large.ts";

/** The tests, with one server and its people per worker; the tests of a worker share their state. */
const test = base.extend<object, { fixture: Fixture }>({
  fixture: [
    async ({ browser }, use) => {
      const fixture = await openFixture(browser);
      await use(fixture);
      await fixture.close();
    },
    { scope: "worker", timeout: 600_000 },
  ],
});
test.describe.configure({ mode: "parallel" });

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The rules whose result depends on the colour scheme. */
const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * `npm run test:screens` checks every state of every screen, on a phone and on a desktop. The nightly tests check one
 * state of each screen for each role, on a phone.
 */
const checksAll = process.env["SCREENS"] === "all";
const widths = checksAll ? [390, 1440] : [390];

/** Runs as text, because the types of stories don't include the browser's objects. */
const check = (runOnly: object) =>
  `axe.run(document, ${JSON.stringify({
    runOnly,
    resultTypes: ["violations"],
    // A page that waits for the viewer has no headline yet.
    rules: { "page-has-heading-one": { enabled: false } },
  })})`;
const everything = check({ type: "tag", values: tags });
const colours = check({ type: "rule", values: colourRules });

async function violations(page: Page, check: string): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>(check);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Expects no violation in light and (colours only) in dark, targets that are large enough, and nothing that moves. */
async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  // The reminder at the end of the window may cover content that can be scrolled clear of it.
  await page.evaluate("document.documentElement.style.setProperty('--reminder-position', 'static')");
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    expect.soft(await violations(page, everything), `${width} wide, light`).toEqual([]);
    await expectLargeTargets(page, `${width} wide`);
    await expectStill(page, `${width} wide`);
    await page.emulateMedia({ colorScheme: "dark" });
    expect.soft(await violations(page, colours), `${width} wide, dark`).toEqual([]);
  }
}

/** Expects no sideways scrolling except in scrollers, at 320 CSS pixels, as at 400% zoom, and on a tablet. */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  for (const width of [768, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const tooWide = await page.evaluate<number>(
      "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth",
    );
    expect.soft(tooWide, `pixels too wide at ${width}`).toBeLessThanOrEqual(0);
  }
}

const isFirst = ({ route, as }: Screen, place: number): boolean =>
  screens.findIndex((other) => other.route === route && other.as === as) === place;

for (const screen of checksAll ? screens : screens.filter(isFirst))
  test(screenName(screen), async ({ fixture }) => {
    const complaints = await show(fixture, screen, async (page) => {
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
    expect(complaints, "the browser's console").toEqual([]);
  });
