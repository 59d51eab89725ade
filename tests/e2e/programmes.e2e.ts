import { eq } from "drizzle-orm";
import { application } from "#server/features/applications/tables.ts";
import { inDatabase } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import { card, twoProgrammes, withTest, year } from "./programme-steps.ts";
import { expect, test } from "./story.ts";

test("a student finds a programme, compares it, shortlists it and applies in a prefilled form", async ({
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

  // The item now links to the application.
  await page.goto("/shortlist");
  await item.getByRole("link", { name: "Your application" }).click();
  const appliedFor = page.getByRole("region", { name: "What was applied for" });
  await expect(appliedFor.getByRole("link", { name: `MSc Nursing, ${word} University` })).toBeVisible();
  await expect(appliedFor.getByRole("heading", { name: `September ${year}` })).toBeVisible();
});

test("a visitor reads the list, is told which filter hides everything, and is led to the login and back", async ({
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
