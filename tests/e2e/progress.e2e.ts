import { pdf } from "#tests/support/files.ts";
import { newPerson } from "./people.ts";
import { email, expectProgress, fillDetails, personalDetails, saveButton, saved } from "./profile-steps.ts";
import { signUp } from "./steps.ts";
import { expect, test } from "./story.ts";
import { aFile, choose, success } from "./uploads.ts";

test("a student goes from an empty dashboard to 100% overall", async ({ page, mailedLink }) => {
  const ada = newPerson("student");
  await signUp(page, ada);
  // The reminder to verify the address is above the dashboard, and only there.
  await expect(page.getByRole("region", { name: "Email verification" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Complete your profile" })).toBeVisible();
  // First name, last name, email and phone of the sign-up are 4 of 12.
  await expectProgress(page, { Overall: 17, "Profile complete": 33, "Documents uploaded": 0 });
  await expect(page.getByText("No agent assigned yet.")).toBeVisible();
  await page.goto(await mailedLink(ada.email, /verify/));
  await expect(page.getByText("Your email address is verified.")).toBeVisible();

  await page.goto("/student-dashboard");
  await expect(page.getByRole("heading", { name: "Complete your profile" })).toBeVisible();
  await page.getByRole("button", { name: "Complete profile" }).click();
  const form = personalDetails(page);
  await expect(form.getByLabel("First name")).toHaveValue("Ada");
  await expect(email(form)).toHaveValue(ada.email);
  await fillDetails(form);
  await saveButton(form).click();
  await expect(page.getByText(saved)).toBeVisible();
  await expect(form).toBeHidden();
  await expectProgress(page, { Overall: 50, "Profile complete": 100, "Documents uploaded": 0 });
  await expect(page.getByRole("heading", { name: "Upload your documents" })).toBeVisible();

  // All six are in the modal; the numbers follow when it closes.
  await page.getByRole("button", { name: "Upload Documents", exact: true }).click();
  const documents = page.getByRole("dialog", { name: "Your documents" });
  const names = ["transcript", "cv", "statement", "first", "second", "passport"];
  await choose(page, "Choose files", ...names.map((name) => aFile(`${name}.pdf`, pdf())));
  await documents.getByRole("button", { name: "Upload 6 files" }).click();
  await expect(success(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(documents).toBeHidden();
  await expectProgress(page, { Overall: 100, "Profile complete": 100, "Documents uploaded": 100 });
  await expect(page.getByRole("heading", { name: "Start your first application" })).toBeVisible();

  await page.goto("/student-profile");
  const screen = page.getByRole("main");
  await expect(screen.getByLabel("Date of birth")).toHaveValue("2004-02-29");
  await expect(screen.getByLabel("Country")).toHaveValue("NG");
  await screen.getByLabel("First name").fill("Adaeze");
  await saveButton(screen).click();
  await expect(page.getByText(saved)).toBeVisible();
  await page.goto("/student-dashboard");
  await expect(page.getByRole("heading", { name: "Hello, Adaeze" })).toBeVisible();
});
