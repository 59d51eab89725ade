import { signedInAsAdmin, signedUp } from "./people.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

/** A year that the form offers, whenever this runs. */
const year = String(new Date().getUTCFullYear() + 1);
const name = `MSc Nursing, University of Leeds, Spring Intake ${year}`;
const gone = { defined: true, code: "not-found", status: 404, message: "There's nothing here." };

test("a student applies for a course of the shortlist, and follows the application on its own page", async ({
  page,
  server,
  anotherBrowser,
}) => {
  await signedUp(page, server.url, "student");
  await page.goto("/shortlist");
  await page.getByLabel("University").fill("University of Leeds");
  await page.getByLabel("Course").fill("MSc Nursing");
  await page.getByLabel("URL").fill("https://courses.example.org/nursing");
  await page.getByRole("button", { name: "Add Item" }).click();
  const row = page.getByRole("row", { name: "University of Leeds" });
  await row.getByRole("button", { name: "Apply" }).click();

  // The form has the shortlist's data, and nothing is sent before the student presses the button.
  await expect(page.getByLabel("Programme")).toHaveValue("MSc Nursing");
  await expect(page.getByLabel("University (optional)")).toHaveValue("University of Leeds");
  await page.getByLabel("Highest study level").selectOption("Postgraduate");
  await page.getByRole("checkbox", { name: "United Kingdom" }).check();
  await page.getByLabel("Start date").selectOption("Spring Intake (January)");
  await page.getByLabel("Year (optional)").selectOption(year);
  await page.getByRole("button", { name: "Submit Application" }).click();
  await expect(page.getByText("Application submitted successfully!", { exact: true })).toBeVisible();

  await page.goto("/shortlist");
  await row.getByRole("link", { name: "Your application" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("MSc Nursing");
  await expect(page).toHaveTitle(`${name} · Wayfare`);
  const present = page
    .getByRole("list", { name: "Stages of the application" })
    .locator("[aria-current=step]");
  await expect(present).toHaveText("Submitted, now");

  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  await office.goto(page.url());
  await office.getByRole("combobox", { name: "Next step" }).selectOption("In review");
  await office.getByRole("button", { name: "Save step" }).click();
  await expect(present).toHaveText("In review, now");

  // A page that may no longer be seen shows none of its loaded data.
  await office.route("**/rpc/applications/read", (route) =>
    route.fulfill({ status: 404, json: { json: gone } }),
  );
  await page.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await expect(present).toHaveText("Withdrawn, ended here");
  await expect(office.getByRole("heading", { name: "Application not found" })).toBeVisible();
  await expect(office.getByText("MSc Nursing")).toBeHidden();
});
