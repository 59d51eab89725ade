import type { Locator } from "@playwright/test";
import { eq } from "drizzle-orm";
import { calendarDate, monthsBefore } from "#domain/calendar-date.ts";
import { agreement } from "#server/features/agreements/tables.ts";
import { programme, programmeIntake } from "#server/features/programmes/tables.ts";
import { inDatabase } from "./auctioneer.ts";
import { call } from "./call.ts";
import { hold } from "./hold.ts";
import { signedUp } from "./people.ts";
import { english, twoProgrammes, withTest, year } from "./programme-steps.ts";
import { expect, test } from "./story.ts";

test("a programme's page follows the student's record without a reload", async ({ page, server }) => {
  const { slug } = await twoProgrammes(server);
  await signedUp(page, server.url, "student");
  const stream = page.waitForResponse(/\/live\?topics=.*dashboard/);
  await page.goto(`/programmes/${slug}`);
  await expect(page.getByText("Not known. Enter the English test")).toBeVisible();
  await stream;
  await call(page.request, server.url, "studyRecord/saveTest", {
    test: "ieltsAcademic",
    takenOn: monthsBefore(calendarDate(new Date()), 2),
    overall: 6.5,
    components: { writing: 6 },
  });
  await expect(page.getByText("Missing: writing 6.0, asked 6.5.")).toBeVisible();
});

test("a programme's page judges the start that the student chooses", async ({ page, server }) => {
  const { slug } = await twoProgrammes(server, {
    requirementSets: [[english(6)]],
    intakes: [year, year + 3].map((each) => ({ year: each, month: 9, state: "open", deadlines: [] })),
  });
  await signedUp(page, server.url, "student");
  await withTest(page, server);
  await page.goto(`/programmes/${slug}`);
  await expect(page.getByText("You meet this.")).toBeVisible();
  const start = page.getByLabel("Start", { exact: true });
  await start.selectOption({ label: `September ${year + 3} (Open)` });
  await expect(page.getByText(`for a start in September ${year + 3}.`)).toBeVisible();
  await expect(
    page.getByText(/^Missing: IELTS Academic taken on .*, asked at most 2 years old\.$/),
  ).toBeVisible();
  await expect(page.getByText("You meet this.")).toHaveCount(0);
  const panel = page.getByRole("region", { name: "Apply and compare" });
  await expect(panel).toContainText("One gap");
  await expect(panel.getByRole("link", { name: "Apply" })).toHaveAttribute("href", /intake=/);

  // A list of one start links to the page with that start.
  await page.goto(`/programmes/${slug}?start=${year + 3}-09`);
  await expect(start.getByRole("option", { selected: true })).toHaveText(`September ${year + 3} (Open)`);
  await expect(panel).toContainText("One gap");
});

test("a programme's page that is opened with a comparison hydrates the HTML that all comparisons share", async ({
  page,
  server,
}) => {
  const { slug } = await twoProgrammes(server);
  const letGo = await hold(page, "**/assets/*.js");
  await page.goto(`/programmes/${slug}?compare=another`, { waitUntil: "commit" });
  await expect(page.getByRole("link", { name: "Compare", exact: true })).toBeVisible();
  letGo();
  await expect(page.getByRole("link", { name: "Compare with 1 other" })).toBeVisible();
});

test("a visitor who logs in from a programme's page returns to the start and the comparison", async ({
  page,
  server,
}) => {
  const intakes = [year, year + 3].map((each) => ({
    year: each,
    month: 9,
    state: "open" as const,
    deadlines: [],
  }));
  const { slug } = await twoProgrammes(server, { intakes });
  const path = `/programmes/${slug}?compare=another&start=${year + 3}-09`;
  await page.goto(path);
  for (const name of ["Log in to apply or to shortlist it", "Log in as a student"])
    await expect(page.getByRole("link", { name })).toHaveAttribute(
      "href",
      `/login?next=${encodeURIComponent(path)}`,
    );
});

test("a student is told which universities pay the agency, and nothing about others", async ({
  page,
  server,
}) => {
  const [paying, other] = [await twoProgrammes(server), await twoProgrammes(server)];
  await inDatabase(server, async ({ services: { database } }) => {
    const university = database.db
      .select({ institutionId: programme.institutionId })
      .from(programme)
      .where(eq(programme.id, paying.ids.nursing));
    await database.db.insert(agreement).values(await university);
  });
  await signedUp(page, server.url, "student");
  const isPaid = page.getByText("Your agency is paid by this university if you enrol.");
  const panel = page.getByRole("region", { name: "Apply and compare" });
  for (const [{ slug }, times] of [
    [paying, 1],
    [other, 0],
  ] as const) {
    await page.goto(`/programmes/${slug}`);
    await expect(panel).toContainText("Not known");
    await expect(isPaid).toHaveCount(times);
  }
});

test("a link to missing entries leads to the record, which is below a long profile", async ({
  page,
  server,
}) => {
  const { slug } = await twoProgrammes(server);
  await signedUp(page, server.url, "student");
  await page.goto(`/programmes/${slug}`);
  await page.getByRole("link", { name: "Enter the English test" }).click();
  const heading = page.getByRole("heading", { name: "English tests" });
  await expect(heading).toBeInViewport();
  await expect(page.getByRole("button", { name: "Save Profile" })).toBeAttached();
  await expect(heading).toBeInViewport();
  await page.reload();
  await expect(heading).toBeInViewport();
});

test("a link to the record stays at its heading when the profile loads later", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  const letGo = await hold(page, "**/rpc/profile/mine*");
  await page.goto("/student-profile#record");
  const heading = page.getByRole("heading", { name: "My record" });
  await expect(heading).toBeInViewport();
  const edge = async (part: Locator) => Math.round((await part.boundingBox())?.y ?? Number.NaN);
  const before = await edge(heading);
  expect(before).toBeGreaterThan(64);
  letGo();
  await expect(page.getByRole("button", { name: "Save Profile" })).toBeAttached();
  expect(await edge(heading)).toBe(before);
});

test("an item of the shortlist closes automatically, and a changed form keeps the typed text", async ({
  page,
  server,
}) => {
  const { ids, slug } = await twoProgrammes(server, {
    intakes: [{ year, month: 3, state: "open", deadlines: [] }],
  });
  await signedUp(page, server.url, "student");
  await page.goto(`/programmes/${slug}`);
  await page.getByRole("button", { name: "Shortlist", exact: true }).click();
  await expect(page.getByRole("link", { name: "On your shortlist" })).toBeVisible();
  await page.getByRole("link", { name: "Apply" }).click();
  await expect(page.getByText("The form has no start in that month.")).toBeVisible();
  await expect(page.getByLabel("Start date")).toHaveValue("");
  await page.getByLabel("Additional information (optional)").fill("I have a scholarship.");
  await inDatabase(server, ({ services: { database } }) =>
    database.db
      .update(programmeIntake)
      .set({ state: "closed" })
      .where(eq(programmeIntake.programmeId, ids.nursing)),
  );
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Programmes" }).click();
  // Until the address changes, "back" leads past the form.
  await expect(page).toHaveURL("/programmes");
  await page.goBack();
  await expect(page.getByLabel("Additional information (optional)")).toHaveValue("I have a scholarship.");
  await page.goto("/shortlist");
  await expect(page.getByRole("row", { name: "MSc Nursing" })).toContainText("Closed");
});
