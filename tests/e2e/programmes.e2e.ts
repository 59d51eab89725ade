import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { application } from "#server/features/applications/tables.ts";
import { inDatabase } from "./auctioneer.ts";
import { hold } from "./hold.ts";
import { press, tabTo } from "./keyboard.ts";
import { signedUp } from "./people.ts";
import { twoProgrammes, withTest, year } from "./programme-steps.ts";
import { isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";

const card = (page: Page, title: string) =>
  page.getByRole("list", { name: "Programmes" }).getByRole("listitem").filter({ hasText: title });

test("a student finds a programme, compares it, shortlists it and applies in a form that is filled in", async ({
  page,
  server,
}) => {
  const { word, ids } = await twoProgrammes(server);
  await signedUp(page, server.url, "student");
  const studentId = await withTest(page, server);
  await page.goto("/programmes");
  await page.getByRole("searchbox", { name: "Search programmes" }).fill(word);
  await expect(page.getByRole("status", { name: "Results" })).toHaveText("2 programmes");
  await expect(card(page, "MSc Nursing")).toContainText("One gap writing 6.0, asked 6.5");
  await expect(card(page, "MSc Midwifery")).toContainText("May enter");
  await page.getByRole("button", { name: "One gap 1" }).click();
  await expect(card(page, "MSc Midwifery")).toHaveCount(0);
  await page.getByRole("button", { name: "One gap 1" }).click();

  for (const title of ["MSc Nursing", "MSc Midwifery"])
    await card(page, title).getByRole("button", { name: "Compare" }).click();
  const bar = page.getByRole("region", { name: "Comparison" });
  await expect(bar).toContainText("2 of 4 to compare");
  // The address holds the view and the comparison.
  await page.reload();
  await expect(bar).toContainText("2 of 4 to compare");
  await bar.getByRole("link", { name: "Compare" }).click();
  const row = page.getByRole("row", { name: /^Takes/ });
  await expect(row).toContainText("differs");
  await expect(row.getByRole("cell")).toHaveText(["1 year", "2 years"]);
  const equalRow = page.getByRole("row", { name: /^Level/ });
  await expect(equalRow.getByRole("cell")).toHaveText(["Postgraduate", "Postgraduate"]);
  await expect(equalRow).not.toContainText("differs");
  await expect(page.getByText("Missing: writing 6.0, asked 6.5.")).toBeVisible();

  await page.getByRole("link", { name: "MSc Nursing" }).click();
  await expect(page).toHaveTitle(/^MSc Nursing, /);
  await page.getByRole("button", { name: "Shortlist", exact: true }).click();
  await page.getByRole("link", { name: "On your shortlist" }).click();
  const item = page.getByRole("row", { name: word });
  await expect(item).toContainText(`Starts September ${year}`);
  await expect(item).toContainText("Open");
  await item.getByRole("link", { name: "Apply" }).click();

  const origin = page.getByRole("region", { name: "From the catalogue" });
  await expect(origin).toContainText(`Filled in from MSc Nursing, ${word} University, starting in September`);
  await expect(origin).toContainText("Missing: writing 6.0, asked 6.5.");
  await expect(page.getByLabel("Programme")).toHaveValue("MSc Nursing");
  await expect(page.getByLabel("Highest study level")).toHaveValue("Postgraduate");
  await expect(page.getByRole("checkbox", { name: "United Kingdom" })).toBeChecked();
  await expect(page.getByLabel("Start date")).toHaveValue("Fall Intake (August or September)");
  await expect(page.getByLabel("Year (optional)")).toHaveValue(String(year));
  await expect(page.getByLabel("University (optional)")).toHaveValue(`${word} University`);
  await page.getByRole("button", { name: "Submit Application" }).click();
  await expect(page.getByText("Application submitted successfully!")).toBeVisible();
  const [record] = await inDatabase(server, ({ services: { database } }) =>
    database.db.select().from(application).where(eq(application.studentId, studentId)),
  );
  expect(record).toMatchObject({ programmeId: ids.nursing, intakeId: expect.any(String) });

  // The item leads to the application now.
  await page.goto("/shortlist");
  await item.getByRole("link", { name: "Your application" }).click();
  const appliedFor = page.getByRole("region", { name: "What was applied for" });
  await expect(appliedFor.getByRole("link", { name: `MSc Nursing, ${word} University` })).toBeVisible();
  await expect(appliedFor.getByRole("heading", { name: `September ${year}` })).toBeVisible();
});

test("a student who keeps one outcome reads no figure of others, and which words were corrected", async ({
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

test("a visitor reads, is told which filter hides everything, and is led to the login and back", async ({
  page,
  server,
}) => {
  const { word, slug } = await twoProgrammes(server);
  await page.goto("/explore");
  await page.getByRole("main").getByRole("link", { name: "See our programmes" }).click();
  await page.getByRole("searchbox", { name: "Search programmes" }).fill(word);
  await expect(page.getByRole("status", { name: "Results" })).toHaveText("2 programmes");
  await page.getByLabel("Country").selectOption({ label: "Canada (0)" });
  await expect(page.getByRole("heading", { name: "No programme has all of this" })).toBeVisible();
  await page.getByRole("button", { name: "Without Canada: 2 programmes" }).click();
  await card(page, "MSc Nursing").getByRole("link", { name: "MSc Nursing" }).click();
  await expect(page.getByText("IELTS Academic 6.5, writing 6.5")).toBeVisible();
  await expect(page.getByRole("button", { name: "Shortlist" })).toHaveCount(0);
  await page.getByRole("link", { name: "Log in to apply or to shortlist it" }).click();
  await expect(page).toHaveURL(`/login?next=${encodeURIComponent(`/programmes/${slug}`)}`);
});

test("a visitor reads that no single filter hides programmes only once they are counted", async ({
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

  test("a visitor sees a programme at once, and unfolds the filters by keyboard before the code is there", async ({
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
