import type { Locator, Page } from "@playwright/test";
import { jpeg, pdf, png } from "../files.ts";
import { call } from "./call.ts";
import { nameOf, signedInAsAdmin, signedUp } from "./people.ts";
import { expect, test } from "./story.ts";

// A file that is not taken, and an agent who comes too late, are part of the stories.
test.use({ expectsRefusals: true });

type File = { name: string; mimeType: string; buffer: Buffer };
const aFile = (name: string, buffer: Buffer): File => ({
  name,
  mimeType: "application/octet-stream",
  buffer,
});
const notADocument = Buffer.from("<!doctype html><script>alert(1)</script>");

/** Chooses files with the button of that name, as the device's own choice does. */
async function choose(page: Page, button: string, ...files: File[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button, exact: true }).click();
  await (await chooser).setFiles(files);
}

/** The slot of a document, on the student's screen and in the agent's table. */
const slot = (page: Page, name: string): Locator => page.getByRole("listitem", { name });
const chosen = (page: Page, name: string): Locator => page.getByRole("listitem", { name, exact: true });
const success = (page: Page): Locator => page.getByText("All documents uploaded successfully!");

/** The account id of whoever is signed in at this page's browser. */
async function idAt(page: Page, origin: string): Promise<string> {
  const response = await page.request.post(`${origin}/rpc/account/me`, {
    headers: { "content-type": "application/json", "x-csrf-token": "orpc", origin },
    data: "{}",
  });
  return (await response.json()).json.viewer.id;
}

/** An approved agent at a browser of their own, who guides the student. */
async function guideOf(studentId: string, guide: Page, office: Page, origin: string): Promise<void> {
  await signedUp(guide, origin, "agent");
  const agentId = await idAt(guide, origin);
  await signedInAsAdmin(office, origin);
  await call(office.request, origin, "agents/approve", { id: agentId });
  await call(office.request, origin, "students/assign", { studentId, agentId, expectedAgentId: null });
}

test("a student uploads six documents in one go, one of them bad, and puts it right", async ({
  page,
  server,
}) => {
  await signedUp(page, server.url, "student");
  await page.goto("/student-documents");
  await expect(slot(page, "Passport")).toContainText("Not uploaded");
  await choose(
    page,
    "Choose files",
    aFile("grades.pdf", pdf(300_000)),
    aFile("cv.pdf", pdf()),
    aFile("why.pdf", notADocument),
    aFile("scan.png", png(900, 1200, 60_000)),
    aFile("letter.pdf", pdf()),
    aFile("passport.jpg", jpeg(1600, 1200)),
  );
  // Prefilled in the order of the slots; two of them trade places.
  await expect(page.getByLabel("Slot for why.pdf")).toHaveValue("statement");
  await page.getByLabel("Slot for letter.pdf").selectOption("Recommendation 1");
  await expect(page.getByLabel("Slot for scan.png")).toHaveValue("recommendation2");

  await page.getByRole("button", { name: "Upload 6 files" }).click();
  for (const name of ["grades.pdf", "cv.pdf", "scan.png", "letter.pdf", "passport.jpg"])
    await expect(chosen(page, name)).toContainText("Uploaded");
  await expect(chosen(page, "why.pdf")).toContainText("Error This is not a PDF, JPEG or PNG file.");
  await expect(success(page)).toHaveCount(0);
  await expect(slot(page, "Recommendation 2")).toContainText("scan.png");
  await expect(slot(page, "Statement of purpose")).toContainText("Not uploaded");

  await choose(page, "Choose file for Statement of purpose", aFile("statement.pdf", pdf()));
  await page.getByRole("button", { name: "Upload 1 file" }).click();
  await expect(success(page)).toBeVisible();
  await expect(slot(page, "Statement of purpose")).toContainText("Waiting for review");

  await page.goto("/student-dashboard");
  await page.getByRole("button", { name: "Upload Documents" }).click();
  await expect(page.getByRole("dialog", { name: "Your documents" })).toContainText("passport.jpg");
});

test("files are dropped on the page", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  await page.goto("/student-documents");
  const area = page.getByRole("region", { name: "Add documents" });
  await expect(area).toBeVisible();
  // As text: the browser's own objects are no part of the types that stories are checked with.
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
  await expect(success(page)).toBeVisible();
  await expect(slot(page, "Transcript")).toContainText("one.pdf");
});

test("an agent rejects a document; the student sees why, live, and replaces it", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const ada = await signedUp(page, server.url, "student");
  const [guide, office] = [await anotherBrowser(), await anotherBrowser()];
  await guideOf(await idAt(page, server.url), guide, office, server.url);
  await page.goto("/student-documents");
  await choose(page, "Choose file for Transcript", aFile("dark.png", png(1200, 1600, 50_000)));
  await page.getByRole("button", { name: "Upload 1 file" }).click();
  await expect(success(page)).toBeVisible();

  await guide.goto("/manage-students?filter=mine");
  await guide.getByRole("button", { name: nameOf(ada), exact: true }).click();
  const transcript = slot(guide, "Transcript");
  await expect(transcript).toContainText("Waiting for review");
  const opened = guide.waitForEvent("popup");
  await transcript.getByRole("button", { name: "View Transcript" }).click();
  await expect.poll(async () => (await opened).url()).toContain("/files/documents/");
  await (await opened).close();

  await transcript.getByRole("button", { name: "Reject Transcript" }).click();
  const question = guide.getByRole("dialog", { name: "Reject Transcript" });
  await question.getByRole("button", { name: "Reject" }).click();
  const missing = guide.getByRole("dialog", { name: "Review Error" });
  await expect(missing).toContainText("Please enter a reason.");
  await missing.getByRole("button", { name: "OK" }).click();
  await question.getByLabel("Reason").fill("The scan is too dark to read.");
  // Closed by mistake: what was typed is still there.
  await guide.keyboard.press("Escape");
  await transcript.getByRole("button", { name: "Reject Transcript" }).click();
  await question.getByRole("button", { name: "Reject" }).click();
  await expect(transcript).toContainText("Rejected");

  // The student touches nothing.
  await expect(slot(page, "Transcript")).toContainText("Why it was rejected: The scan is too dark to read.");
  await choose(page, "Replace Transcript", aFile("bright.pdf", pdf(50_000)));
  await page.getByRole("button", { name: "Upload 1 file" }).click();
  await expect(slot(page, "Transcript")).toContainText("bright.pdf");
  await expect(slot(page, "Transcript")).toContainText("1 earlier version kept");

  // Nor does the agent, until there is something new to approve.
  await expect(transcript).toContainText("bright.pdf");
  await transcript.getByRole("button", { name: "Approve Transcript" }).click();
  await expect(slot(page, "Transcript")).toContainText("Approved");
  await expect(guide.getByText("Transcript approved. The student is told.")).toBeVisible();
});
