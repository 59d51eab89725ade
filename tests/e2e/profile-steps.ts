import { expect, type Locator, type Page } from "@playwright/test";

export const saved = "Profile saved successfully!";
export const personalDetails = (page: Page): Locator =>
  page.getByRole("dialog", { name: "Personal details" });
export const email = (form: Locator): Locator => form.getByRole("textbox", { name: "Email" });
export const saveButton = (form: Locator): Locator => form.getByRole("button", { name: "Save Profile" });

export async function expectProgress(page: Page, numbers: Record<string, number>): Promise<void> {
  for (const [name, number] of Object.entries(numbers)) {
    await expect(page.getByRole("progressbar", { name })).toHaveAttribute("value", String(number));
    await expect(page.getByText(`${name}${number}%`)).toBeVisible();
  }
}

export async function fillDetails(form: Locator): Promise<void> {
  await form.getByLabel("Date of birth").fill("2004-02-29");
  await form.getByLabel("Gender").selectOption("Female");
  await form.getByLabel("Citizenship").selectOption("Nigeria");
  await form.getByLabel("Address line 1").fill("17 Palm Grove");
  await form.getByLabel("City").fill("Surulere");
  await form.getByLabel("State").fill("Lagos State");
  await form.getByLabel("Postal code").fill("101283");
  await form.getByLabel("Country").selectOption("Nigeria");
}
