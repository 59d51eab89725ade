import { pdf, png } from "#tests/support/files.ts";
import { signedUp } from "./people.ts";
import { expect, test } from "./story.ts";
import { aFile, choose, fileRow, slot } from "./uploads.ts";

test("a replacement is confirmed, a misplaced file is moved, an earlier version is opened", async ({
  page,
  server,
}) => {
  await signedUp(page, server.url, "student");
  await page.goto("/student-documents");
  const uploaded = async (button: string, name: string) => {
    await choose(page, button, aFile(name, png(900, 1200, 9000)));
    await page.getByRole("button", { name: "Upload 1 file" }).click();
    await expect(fileRow(page, name)).toContainText("Uploaded");
  };
  await uploaded("Choose file for CV", "my-cv.png");
  await uploaded("Choose file for Passport", "old-pass.png");

  await choose(page, "Choose files", aFile("reisepass.pdf", pdf(5000)));
  await expect(fileRow(page, "reisepass.pdf")).toContainText("Replaces old-pass.png");
  await page.getByRole("button", { name: "Upload 1 file" }).click();
  const question = page.getByRole("dialog", { name: "Replace your Passport?" });
  await expect(question).toContainText("reisepass.pdf instead of old-pass.png");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(slot(page, "Passport")).toContainText("old-pass.png");
  await page.getByLabel("Slot for reisepass.pdf").selectOption("CV");
  await page.getByRole("button", { name: "Upload 1 file" }).click();
  await page
    .getByRole("dialog", { name: "Replace your CV?" })
    .getByRole("button", { name: "Replace" })
    .click();
  await expect(slot(page, "CV")).toContainText("reisepass.pdf");

  // The file was the passport, so the two are swapped.
  await slot(page, "CV").getByRole("button", { name: "Move or remove CV" }).click();
  const dialog = page.getByRole("dialog", { name: "Move or remove CV" });
  await dialog.getByLabel("Move to").selectOption("Passport");
  await expect(dialog).toContainText("old-pass.png moves to CV in exchange.");
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText("reisepass.pdf is now your Passport.", { exact: true })).toBeVisible();
  await expect(slot(page, "CV")).toContainText("old-pass.png");

  // This version is removed, so the previous CV comes back.
  await expect(slot(page, "CV").getByText("1 earlier version")).toBeVisible();
  await slot(page, "CV").getByText("1 earlier version").click();
  const opened = page.waitForEvent("popup");
  await slot(page, "CV").getByRole("button", { name: "View earlier CV my-cv.png" }).click();
  await expect.poll(async () => (await opened).url()).toContain("/files/documents/");
  await (await opened).close();
  await slot(page, "CV").getByRole("button", { name: "Move or remove CV" }).click();
  await dialog.getByRole("button", { name: "Remove file" }).click();
  await expect(slot(page, "CV")).toContainText("my-cv.png");
  await expect(slot(page, "CV")).not.toContainText("earlier");
});

test("files are dropped on the page", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  await page.goto("/student-documents");
  const area = page.getByRole("region", { name: "Add documents" });
  await expect(area).toBeVisible();
  // Runs as text, because the types of stories don't include the browser's objects.
  const dropped = await page.evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob("${pdf().toString("base64")}"), (sign) => sign.charCodeAt(0));
    const data = new DataTransfer();
    for (const name of ["one.pdf", "two.pdf"]) data.items.add(new File([bytes], name));
    return data;
  })()`);
  await area.dispatchEvent("dragover", { dataTransfer: dropped });
  await area.dispatchEvent("drop", { dataTransfer: dropped });
  await page.getByRole("button", { name: "Remove two.pdf" }).click();
  await page.getByRole("button", { name: "Upload 1 file" }).click();
  await expect(page.getByText("1 document uploaded, 5 still missing")).toBeVisible();
  await expect(slot(page, "Transcript")).toContainText("one.pdf");
});
