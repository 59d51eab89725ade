import type { Locator, Page } from "@playwright/test";

export type File = { name: string; mimeType: string; buffer: Buffer };
export const aFile = (name: string, buffer: Buffer): File => ({
  name,
  mimeType: "application/octet-stream",
  buffer,
});
export const notADocument = Buffer.from("<!doctype html><script>alert(1)</script>");

/** Chooses files with the button of that name, as the device's file picker does. */
export async function choose(page: Page, button: string, ...files: File[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button, exact: true }).click();
  await (await chooser).setFiles(files);
}

/** Locates the slot of a document, on the student's screen and in the agent's table. */
export const slot = (page: Page, name: string): Locator => page.getByRole("listitem", { name });
export const fileRow = (page: Page, name: string): Locator =>
  page.getByRole("listitem", { name, exact: true });
export const success = (page: Page): Locator => page.getByText("All documents uploaded successfully!");
