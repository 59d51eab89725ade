import { hold } from "./hold.ts";
import { press, tabTo } from "./keyboard.ts";
import { signedUp } from "./people.ts";
import { card, twoProgrammes, withTest } from "./programme-steps.ts";
import { isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";

test("a student who filters by one outcome reads no figure of others, and which words were corrected", async ({
  page,
  server,
}) => {
  const { word } = await twoProgrammes(server);
  await signedUp(page, server.url, "student");
  await withTest(page, server);
  await page.goto(`/programmes?search=${word}&feeUpTo=90000000`);
  const results = page.getByRole("status", { name: "Results" });
  await expect(results).toHaveText("2 programmes, of which 2 without a tuition in rand");
  const country = page.getByLabel("Country").getByRole("option", { name: "United Kingdom" });
  await expect(country).toHaveText("United Kingdom (2)");
  await page.getByRole("button", { name: "May enter 1" }).click();
  await expect(results).toHaveText("1 programme");
  await expect(country).toHaveText("United Kingdom");
  await page.getByLabel("Country").selectOption({ label: "Canada" });
  await page.getByRole("button", { name: "Without Canada and “May enter”: 2 programmes" }).click();
  await expect(results).toHaveText("2 programmes, of which 2 without a tuition in rand");

  await page.goto("/programmes?search=midwfiery");
  await expect(page.getByRole("button", { name: /^May enter \d/ })).toBeVisible();
  await expect(results).toContainText("No exact matches for “midwfiery”. Showing “midwifery”.");
});

test("a visitor is told that no single filter hides programmes only once they are counted", async ({
  page,
  server,
}) => {
  const { word } = await twoProgrammes(server);
  const counts = "**/rpc/programmes/counts*";
  const nothing = page.getByRole("heading", { name: "No programme has all of this" });
  const noSingleFilter = page.getByText("No single filter hides them");
  const withoutStart = page.getByRole("button", { name: /^Without .*: 2 programmes$/ });
  const answerFirst = await hold(page, counts);
  await page.goto(`/programmes?search=${word}&intake=2099-01`);
  await expect(nothing).toBeVisible();
  await expect(noSingleFilter).toHaveCount(0);
  answerFirst();
  await expect(withoutStart).toBeVisible();
  const answerSecond = await hold(page, counts);
  await page.getByLabel("Country").selectOption("CA");
  await expect(page).toHaveURL(/country=CA/);
  await expect(withoutStart).toHaveCount(0);
  await expect(nothing).toBeVisible();
  await expect(noSingleFilter).toHaveCount(0);
  answerSecond();
  await expect(noSingleFilter).toBeVisible();
});

test("two programmes that a visitor chooses at the same moment are both compared", async ({
  page,
  server,
}) => {
  const { word } = await twoProgrammes(server);
  await page.goto(`/programmes?search=${word}`);
  await isHydrated(page);
  await expect(card(page, word)).toHaveCount(2);
  // Both presses happen in one task, before the page shows the first.
  await page.evaluate(`
    for (const each of document.querySelectorAll("[aria-label=Programmes] button")) each.click();
  `);
  await expect(page.getByRole("region", { name: "Comparison" })).toContainText("2 of 4 to compare");
  await expect(page.getByRole("button", { name: "Compare", pressed: true })).toHaveCount(2);
});

test("a programme that a visitor chooses before an earlier press has settled stays chosen", async ({
  page,
  server,
}) => {
  const { word } = await twoProgrammes(server);
  await page.goto(`/programmes?search=${word}`);
  await isHydrated(page);
  await expect(card(page, word)).toHaveCount(2);
  // Presses the second programme as soon as the page shows the first as chosen, and then the first once more.
  await page.evaluate(`
    const [first, second] = document.querySelectorAll("[aria-label=Programmes] button");
    const presses = [second, first];
    const observer = new MutationObserver(() => presses.shift()?.click());
    observer.observe(document.body, { subtree: true, attributeFilter: ["aria-pressed"] });
    first.click();
  `);
  await expect(page.getByRole("region", { name: "Comparison" })).toContainText("1 of 4 to compare");
  await expect(page.getByRole("button", { name: "Compare" }).nth(0)).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByRole("button", { name: "Compare" }).nth(1)).toHaveAttribute("aria-pressed", "true");
});

test("a visitor who clears all filters of an empty list sees that the list loads", async ({
  page,
  server,
}) => {
  await twoProgrammes(server);
  await page.goto("/programmes?search=nursing&country=CA&intake=2099-01");
  const nothing = page.getByRole("heading", { name: /^No programme/ });
  await expect(nothing).toBeVisible();
  const answer = await hold(page, "**/rpc/programmes/list*");
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(page.getByRole("region", { name: "Loading programmes" })).toBeVisible();
  await expect(nothing).toHaveCount(0);
  answer();
  await expect(page.getByRole("list", { name: "Programmes" })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("a visitor sees a programme immediately, and unfolds the filters by keyboard before the code is loaded", async ({
    page,
    server,
  }) => {
    await twoProgrammes(server);
    const letGo = await hold(page, "**/assets/*.js");
    await page.goto("/programmes?country=GB&mode=fullTime", { waitUntil: "commit" });
    const fold = page.getByText("Filters · 2 chosen");
    await expect(fold).toBeVisible();
    const first = page.getByRole("list", { name: "Programmes" }).getByRole("listitem").first();
    await expect(first).toBeInViewport({ ratio: 0.7 });
    await expect(page.getByRole("searchbox", { name: "Search programmes" })).toBeVisible();
    await expect(page.getByLabel("Sort by")).toBeVisible();
    for (const label of ["Country", "Field"]) await expect(page.getByLabel(label)).toBeHidden();

    await tabTo(page, fold);
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Country")).toHaveValue("GB");
    for (const label of ["Level", "Start", "Sort by", "Field", "Tuition a year up to", "Language", "Mode"]) {
      await page.keyboard.press("Tab");
      if (label === "Level") await page.keyboard.press("Tab");
      await expect(page.getByLabel(label)).toBeFocused();
    }
    letGo();
    await isHydrated(page);
    await expect(page.getByLabel("Country")).toBeVisible();
    await page.getByRole("button", { name: "Remove United Kingdom" }).click();
    await expect(page.getByText("Filters · 1 chosen")).toBeVisible();
    await expect(page.getByLabel("Country")).toHaveValue("");
    await page.getByText("Filters · 1 chosen").click();
    await expect(page.getByLabel("Country")).toBeHidden();
    await page.getByRole("button", { name: "Remove Full-time" }).click();
    await expect(page.getByText("Filters", { exact: true })).toBeVisible();
  });
});

test.describe("on a screen of 1280 by 1024 at 400% zoom", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" }, viewport: { width: 320, height: 256 } });

  test("a student compares and shortlists by keyboard alone", async ({ page, server }) => {
    const { word } = await twoProgrammes(server);
    await signedUp(page, server.url, "student");
    await page.goto(`/programmes?search=${word}`);
    await isHydrated(page);
    await press(page, card(page, "MSc Midwifery").getByRole("button", { name: "Compare" }));
    const compare = page.getByRole("region", { name: "Comparison" }).getByRole("link", { name: "Compare" });
    await tabTo(page, compare);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("table")).toBeVisible();
    await press(page, page.getByRole("link", { name: "MSc Midwifery" }));
    await press(page, page.getByRole("button", { name: "Shortlist", exact: true }));
    await expect(page.getByRole("link", { name: "On your shortlist" })).toBeVisible();
  });
});
