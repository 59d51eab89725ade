import type { Locator, Page } from "@playwright/test";
import { call } from "./call.ts";
import { nameOf, type Person, searchableStudent, signedInAsAdmin } from "./people.ts";
import { confirmList, isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

async function fillApplication(at: Locator | Page, program: string): Promise<void> {
  await at.getByLabel("Programme").fill(program);
  await at.getByLabel("Highest study level").selectOption("Postgraduate");
  await at.getByRole("checkbox", { name: "Canada" }).check();
  await at.getByLabel("Start date").selectOption("Spring Intake (January)");
}
const submit = (at: Locator | Page) => at.getByRole("button", { name: "Submit Application" }).click();

/** Opens the applications of a student from Manage Students. */
async function openApplications(page: Page, student: Person): Promise<Locator> {
  await page.goto(`/manage-students?search=${encodeURIComponent(nameOf(student))}`);
  await page.getByRole("button", { name: `View Applications of ${nameOf(student)}` }).click();
  return page.getByRole("dialog", { name: `Applications for ${nameOf(student)}` });
}

async function takeStep(application: Locator, step: string, note = ""): Promise<void> {
  await application.getByLabel("Next step").selectOption(step);
  await application.getByLabel("Note for the student").fill(note);
  await application.getByRole("button", { name: "Save step" }).click();
}

test("an application travels from submitted to enrolled with its timeline", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const ada = await searchableStudent(page, server.url);
  await page.goto("/student-dashboard");
  await page.getByRole("button", { name: "Start Application" }).click();
  const dialog = page.getByRole("dialog", { name: "Your Applications" });
  const missing = dialog.getByRole("region", { name: "Still missing" });
  await expect(missing.getByRole("link", { name: "Date of birth" })).toHaveAttribute(
    "href",
    "/student-profile",
  );
  await expect(missing.getByRole("link", { name: "Transcript" })).toHaveAttribute(
    "href",
    "/student-documents",
  );
  await fillApplication(dialog, "MSc Data Science");
  await submit(dialog);
  await expect(dialog.getByText("Application submitted successfully!", { exact: true })).toBeVisible();
  const mine = dialog.getByRole("article", { name: "MSc Data Science" });
  await expect(mine.getByText("Submitted", { exact: true })).toBeVisible();

  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  const theirs = (await openApplications(office, ada)).getByRole("article", { name: "MSc Data Science" });
  await takeStep(theirs, "In review");
  await expect(mine.getByText("In review", { exact: true })).toBeVisible();
  await expect(theirs.getByText("In review", { exact: true })).toBeVisible();
  await takeStep(theirs, "Information required", "Please send your transcript.");
  await expect(mine.getByText("Please send your transcript.")).toBeVisible();

  // After closing it, the dashboard begins with the question and links straight to the answer; half an answer is kept.
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Answer a question" })).toBeVisible();
  await page.getByRole("button", { name: "Answer now" }).click();
  await expect(mine.getByLabel("Your answer")).toBeFocused();
  await page.keyboard.type("It is uploaded");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Answer now" }).click();
  await expect(mine.getByLabel("Your answer")).toHaveValue("It is uploaded");
  await mine.getByLabel("Your answer").fill("It is uploaded now.");
  await mine.getByRole("button", { name: "Send answer" }).click();
  await expect(mine.getByText("In review", { exact: true })).toBeVisible();
  // The pages of observers update automatically.
  await expect(theirs.getByText("It is uploaded now.")).toBeVisible();
  // The student confirms the list that is sent.
  await theirs.getByRole("button", { name: "Ask the student to confirm" }).click();
  await confirmList(mine, server, ada);
  await expect(theirs.getByText("The student has confirmed this list.")).toBeVisible();
  for (const step of ["Sent to university", "Unconditional offer"]) {
    await takeStep(theirs, step);
    await expect(mine.getByText(step, { exact: true })).toBeVisible();
    await expect(theirs.getByText(step, { exact: true })).toBeVisible();
  }

  await mine.getByRole("button", { name: "Accept offer" }).click();
  const question = page.getByRole("dialog", { name: "Accept offer" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(mine.getByText("Unconditional offer", { exact: true })).toBeVisible();
  await mine.getByRole("button", { name: "Accept offer" }).click();
  await question.getByRole("button", { name: "Accept offer" }).click();
  await expect(mine.getByText("Accepted", { exact: true })).toBeVisible();
  for (const step of ["Visa", "Enrolled"]) {
    await expect(theirs.getByLabel("Next step").getByRole("option", { name: step, exact: true })).toHaveCount(
      1,
    );
    await takeStep(theirs, step);
    await expect(mine.getByText(step, { exact: true })).toBeVisible();
  }
  await expect(mine.getByRole("button", { name: "Withdraw" })).toBeHidden();

  await mine.getByText("Timeline").click();
  const steps = mine.getByRole("listitem");
  await expect(steps).toHaveText([
    /^Enrolled.*An administrator/,
    /^Visa/,
    /^Accepted.*You/,
    /^Unconditional offer/,
    /^Sent to university/,
    /^In review.*You.*It is uploaded now\./,
    /^Information required.*An administrator.*Please send your transcript\./,
    /^In review/,
    /^Submitted.*You/,
  ]);
});

test("All selects every country, and an individual country removes All", async ({ page, server }) => {
  await searchableStudent(page, server.url);
  await page.goto("/application");
  const box = (name: string) => page.getByRole("checkbox", { name, exact: true });
  const countries = ["Canada", "Ireland", "United Arab Emirates", "United Kingdom", "United States"];
  await box("All").check();
  for (const country of countries) await expect(box(country)).toBeChecked();
  await box("All").uncheck();
  for (const country of countries) await expect(box(country)).not.toBeChecked();
  await box("All").check();
  await box("Ireland").click();
  await expect(box("All")).not.toBeChecked();
  await expect(box("Ireland")).not.toBeChecked();
  await expect(box("Canada")).toBeChecked();
  for (const country of countries) await box(country).check();
  await expect(box("All")).not.toBeChecked();
});

test.describe("refused", () => {
  test("missing details and a second open application are shown, and typed text is kept", async ({
    page,
    server,
  }) => {
    await searchableStudent(page, server.url);
    await page.goto("/application");
    const shows = async (message: string) => {
      await submit(page);
      const modal = page.getByRole("dialog", { name: "Application Error" });
      await expect(modal.getByText(message, { exact: true })).toBeVisible();
      await modal.getByRole("button", { name: "OK" }).click();
    };
    await shows("Please enter a programme.");
    await expect(page.getByLabel("Programme")).toBeFocused();
    await page.getByLabel("Programme").fill("LLM Law");
    await shows("Please select your highest study level.");
    await page.getByLabel("Highest study level").selectOption("Foundation");
    await shows("Please select at least one country.");
    await expect(page.getByRole("checkbox", { name: "All" })).toBeFocused();
    await page.getByRole("checkbox", { name: "Ireland" }).check();
    await shows("Please select a start date.");
    await page.getByLabel("Start date").selectOption("Spring Intake (January)");
    await submit(page);
    await expect(page.getByRole("article", { name: "LLM Law" })).toBeVisible();

    await page.getByRole("button", { name: "Start another application" }).click();
    await expect(page.getByLabel("Programme")).toBeFocused();
    await fillApplication(page, " llm LAW ");
    await shows("You already have an open application for this programme and intake.");
    await expect(page.getByLabel("Programme")).toHaveValue(" llm LAW ");
    await page.getByRole("link", { name: "Transcript" }).click();
    await expect(page).toHaveURL("/student-documents");
    await page.goBack();
    await expect(page.getByLabel("Programme")).toHaveValue(" llm LAW ");
    await expect(page.getByRole("checkbox", { name: "Canada" })).toBeChecked();
  });

  test("the second of two people who move an application concurrently is told", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const ada = await searchableStudent(page, server.url);
    await page.goto("/application");
    await isHydrated(page);
    await fillApplication(page, "MBA");
    await submit(page);
    const mine = page.getByRole("article", { name: "MBA" });
    await mine.getByRole("button", { name: "Withdraw" }).click();

    const office = await anotherBrowser();
    await signedInAsAdmin(office, server.url);
    const theirs = (await openApplications(office, ada)).getByRole("article", { name: "MBA" });
    await theirs.getByLabel("Next step").selectOption("In review");
    await theirs.getByLabel("Note for the student").fill("Welcome.");
    const question = page.getByRole("dialog", { name: "Withdraw application" });
    await expect(question).toContainText("Only an administrator can reopen it.");
    await question.getByRole("button", { name: "Withdraw" }).click();
    await expect(mine.getByText("Withdrawn", { exact: true })).toBeVisible();
    // The change shows automatically, and the step chosen before would now reopen the application, which nobody wanted.
    await expect(theirs.getByText("Withdrawn", { exact: true })).toBeVisible();
    await theirs.getByRole("button", { name: "Save step" }).click();
    const modal = office.getByRole("dialog", { name: "Application Error" });
    await expect(modal.getByText("Error Code: failed-precondition")).toBeVisible();
    await modal.getByRole("button", { name: "OK" }).click();
    await expect(theirs.getByText("Withdrawn", { exact: true })).toBeVisible();
    await expect(theirs.getByLabel("Note for the student")).toHaveValue("Welcome.");
    // They know now, so the decision is theirs.
    await theirs.getByRole("button", { name: "Save step" }).click();
    await expect(mine.getByText("In review", { exact: true })).toBeVisible();
  });
});

test("the dashboard lists applications with their states, and its buttons lead to the application or the form", async ({
  page,
  server,
}) => {
  await searchableStudent(page, server.url);
  const country = ["CA"];
  const common = { highestStudyLevel: "Postgraduate", country, startDate: "Spring Intake (January)" };
  for (let number = 1; number <= 6; number++)
    await call(page.request, server.url, "applications/submit", {
      ...common,
      program: `MSc Number ${number}`,
    });
  await page.goto("/student-dashboard");
  const card = page.getByRole("main").getByRole("listitem").filter({ hasText: "MSc Number" });
  await expect(card).toHaveCount(5);
  await expect(card.first()).toContainText("Submitted");
  await expect(page.getByText("and 1 more", { exact: true })).toBeVisible();

  const dialog = page.getByRole("dialog", { name: "Your Applications" });
  await page.getByRole("button", { name: "MSc Number 2" }).click();
  await expect(dialog.getByRole("article", { name: "MSc Number 2" })).toBeFocused();
  await expect(dialog.getByRole("article", { name: "MSc Number 2" })).toBeInViewport();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "View Applications" }).click();
  await expect(dialog.getByRole("article")).toHaveCount(6);
  await expect(dialog.getByLabel("Programme")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Start Application" }).click();
  await expect(dialog.getByLabel("Programme")).toBeFocused();
  await expect(dialog.getByLabel("Programme")).toBeInViewport();
});
