import type { Page } from "@playwright/test";
import { jpeg, pdf, png } from "#tests/support/files.ts";
import { call } from "./call.ts";
import {
  approvedAgent,
  idAt,
  nameOf,
  type Person,
  searchableStudent,
  signedInAsAdmin,
  signedUp,
} from "./people.ts";
import { expect, test } from "./story.ts";
import { aFile, choose, fileRow, notADocument, slot, success } from "./uploads.ts";

// These stories include refused files, and an agent who is too late.
test.use({ expectsRefusals: true });

test("a student uploads several documents together, one of them invalid, and adds the missing ones", async ({
  page,
  server,
}) => {
  await signedUp(page, server.url, "student");
  await page.goto("/student-documents");
  await expect(slot(page, "Passport")).toContainText("Not uploaded");
  await choose(
    page,
    "Choose files",
    aFile("passport.jpg", jpeg(1600, 1200)),
    aFile("cv.pdf", pdf()),
    aFile("why.pdf", notADocument),
    aFile("scan.png", png(900, 1200, 60_000)),
    aFile("letter.pdf", pdf()),
    aFile("grades.pdf", pdf(300_000)),
  );
  // Slots are proposed by the files' names, otherwise in order. An invalid file is refused immediately.
  const proposed = async (name: string, kind: string) =>
    await expect(page.getByLabel(`Slot for ${name}`)).toHaveValue(kind);
  await proposed("passport.jpg", "passport");
  await proposed("cv.pdf", "cv");
  await proposed("grades.pdf", "transcript");
  await proposed("scan.png", "statement");
  await proposed("letter.pdf", "recommendation1");
  await expect(fileRow(page, "why.pdf")).toContainText("Error This isn't a PDF, JPEG or PNG file.");
  // Two of them swap slots.
  await page.getByLabel("Slot for letter.pdf").selectOption("Statement of purpose");
  await proposed("scan.png", "recommendation1");

  await page.getByRole("button", { name: "Upload 5 files" }).click();
  for (const name of ["grades.pdf", "cv.pdf", "scan.png", "letter.pdf", "passport.jpg"])
    await expect(fileRow(page, name)).toContainText("Uploaded");
  await expect(page.getByText("5 documents uploaded, 1 still missing")).toBeVisible();
  await expect(success(page)).toHaveCount(0);
  // Nothing is left to upload.
  await expect(page.getByRole("button", { name: /^Upload \d/ })).toHaveCount(0);
  await expect(slot(page, "Recommendation 1")).toContainText("scan.png");
  await expect(slot(page, "Recommendation 2")).toContainText("Not uploaded");

  await choose(page, "Choose file for Recommendation 2", aFile("professor.pdf", pdf()));
  await page.getByRole("button", { name: "Upload 1 file" }).click();
  await expect(success(page)).toBeVisible();
  await expect(slot(page, "Recommendation 2")).toContainText("Waiting for review");

  await page.goto("/student-dashboard");
  await page.getByRole("button", { name: "Upload Documents" }).click();
  await expect(page.getByRole("dialog", { name: "Your documents" })).toContainText("passport.jpg");
});

/** Finds a student by name in Manage Students and opens their row. */
async function openRow(page: Page, student: Person): Promise<void> {
  await page.goto("/manage-students");
  await page.getByPlaceholder("Search by name...").fill(student.lastName.toUpperCase());
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: nameOf(student), exact: true }).click();
}

async function takeStudent(page: Page, student: Person): Promise<void> {
  await page.getByRole("button", { name: `Assign Agent: ${nameOf(student)}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Assign to me" }).click();
  await expect(page.getByText("Agent assigned successfully!")).toBeVisible();
}

test("an agent finds a student, takes them and rejects a document; the student sees why, live, and replaces it", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const ada = await searchableStudent(page, server.url);
  const [agent, office] = [await anotherBrowser(), await anotherBrowser()];
  await signedInAsAdmin(office, server.url);
  await approvedAgent(agent, office, server);
  await page.goto("/student-documents");
  await choose(page, "Choose file for Transcript", aFile("dark.png", png(1200, 1600, 50_000)));
  await page.getByRole("button", { name: "Upload 1 file" }).click();
  await expect(page.getByText("1 document uploaded, 5 still missing")).toBeVisible();

  await openRow(agent, ada);
  const transcript = slot(agent, "Transcript");
  await expect(transcript).toHaveCount(0);
  await takeStudent(agent, ada);
  await expect(transcript).toContainText("Waiting for review");
  const opened = agent.waitForEvent("popup");
  await transcript.getByRole("button", { name: "View Transcript" }).click();
  await expect.poll(async () => (await opened).url()).toContain("/files/documents/");
  await (await opened).close();

  const saving = agent.waitForEvent("download");
  await agent.getByRole("button", { name: "Save student file" }).click();
  expect((await saving).suggestedFilename()).toBe(`${nameOf(ada)}.zip`);
  expect(await (await saving).failure()).toBeNull();

  await transcript.getByRole("button", { name: "Reject Transcript" }).click();
  const question = agent.getByRole("dialog", { name: "Reject Transcript" });
  await question.getByRole("button", { name: "Reject" }).click();
  const missing = agent.getByRole("dialog", { name: "Review Error" });
  await expect(missing).toContainText("Please enter a reason.");
  await missing.getByRole("button", { name: "OK" }).click();
  await question.getByLabel("Reason").fill("The scan is too dark to read.");
  // The dialog was closed by mistake: the reason is still there.
  await agent.keyboard.press("Escape");
  await transcript.getByRole("button", { name: "Reject Transcript" }).click();
  await question.getByRole("button", { name: "Reject" }).click();
  await expect(transcript).toContainText("Rejected");

  // The student's page updates automatically.
  await expect(slot(page, "Transcript")).toContainText("Why it was rejected: The scan is too dark to read.");
  await choose(page, "Replace Transcript", aFile("bright.pdf", pdf(50_000)));
  await page.getByRole("button", { name: "Upload 1 file" }).click();
  await expect(slot(page, "Transcript")).toContainText("bright.pdf");
  await expect(slot(page, "Transcript")).toContainText("1 earlier version");

  // The agent's page updates automatically, with a new document to approve.
  await expect(transcript).toContainText("bright.pdf");
  await transcript.getByRole("button", { name: "Approve Transcript" }).click();
  await expect(slot(page, "Transcript")).toContainText("Approved");
  await expect(agent.getByText("Transcript approved. The student has been notified.")).toBeVisible();
});

test("an agent who is not assigned is refused the passport, on the screen, by call and by link", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const ada = await searchableStudent(page, server.url);
  const [agent, other, office] = [await anotherBrowser(), await anotherBrowser(), await anotherBrowser()];
  await signedInAsAdmin(office, server.url);
  const kofi = await approvedAgent(agent, office, server);
  const yaw = await approvedAgent(other, office, server);
  await page.goto("/student-documents");
  await choose(page, "Choose file for Passport", aFile("passport.jpg", jpeg(1600, 1200)));
  await page.getByRole("button", { name: "Upload 1 file" }).click();
  await expect(page.getByText("1 document uploaded, 5 still missing")).toBeVisible();

  await openRow(agent, ada);
  await takeStudent(agent, ada);
  const linkResponse = agent.waitForResponse("**/rpc/documents/link");
  const opened = agent.waitForEvent("popup");
  await slot(agent, "Passport").getByRole("button", { name: "View Passport" }).click();
  const { url } = (await (await linkResponse).json()).json;
  await (await opened).close();
  const documentId = new URL(url, server.url).pathname.split("/").at(-1);
  const open = async (who: Page) => (await who.request.get(server.url + url)).status();
  expect(await open(agent)).toBe(200);

  // The other agent sees that there is a passport, but has no access to it.
  await openRow(other, ada);
  const states = other.getByLabel("Documents", { exact: true }).filter({ hasText: "Passport" });
  await expect(states).toContainText("PassportWaiting for review");
  await expect(other.getByRole("button", { name: /Passport|identity/ })).toHaveCount(0);
  await expect(other.getByText("passport.jpg")).toHaveCount(0);
  const link = { documentId, mode: "view" };
  const studentId = await idAt(page, server.url);
  for (const [procedure, input] of [
    ["documents/link", link],
    ["documents/ofStudent", { studentId }],
    ["students/identity", { studentId }],
  ] as const)
    await expect(call(other.request, server.url, procedure, input)).rejects.toThrow("answered 404");
  expect(await open(other)).toBe(404);

  // Once the student is reassigned, the first agent loses access immediately, even with the link that worked until now.
  const [agentId, expectedAgentId] = [await idAt(other, server.url), await idAt(agent, server.url)];
  await call(office.request, server.url, "students/assign", { studentId, agentId, expectedAgentId });
  expect(await open(agent)).toBe(404);
  await expect(call(agent.request, server.url, "documents/link", link)).rejects.toThrow("answered 404");
  await expect(slot(other, "Passport").getByRole("button", { name: "View Passport" })).toBeVisible();
  await expect(agent.getByRole("row", { name: nameOf(ada) })).toContainText(nameOf(yaw));
  await expect(agent.getByRole("button", { name: "View Passport" })).toHaveCount(0);
  await expect(agent.getByRole("row", { name: nameOf(ada) })).not.toContainText(nameOf(kofi));
});
