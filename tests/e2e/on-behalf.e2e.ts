import { pdf } from "#tests/support/files.ts";
import { call } from "./call.ts";
import { approvedAgent, idAt, nameOf, searchableStudent, signedInAsAdmin } from "./people.ts";
import { confirmList } from "./steps.ts";
import { expect, test } from "./story.ts";
import { aFile, choose } from "./uploads.ts";

test.use({ expectsRefusals: true });

test("an agent fills in and uploads for a student, who sees who entered what, and confirms", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const [desk, office] = [await anotherBrowser(), await anotherBrowser()];
  await signedInAsAdmin(office, server.url);
  const kofi = await approvedAgent(desk, office, server);
  const ada = await searchableStudent(page, server.url);
  const [studentId, agentId] = [await idAt(page, server.url), await idAt(desk, server.url)];
  await call(desk.request, server.url, "students/assign", { studentId, agentId, expectedAgentId: null });

  await desk.goto(`/manage-students?filter=mine&student=${studentId}`);
  await desk.getByRole("button", { name: "Fill in profile" }).click();
  const form = desk.getByRole("dialog", { name: `Personal details of ${nameOf(ada)}` });
  await expect(form.getByLabel("Email")).toHaveCount(0);
  await form.getByLabel("City").fill("Kumasi");
  await form.getByLabel("Passport number").fill("G0456123");
  await form.getByRole("button", { name: "Save Profile" }).click();
  await expect(form).toBeHidden();
  await choose(desk, "Upload Passport", aFile("passport.pdf", pdf()));
  await expect(desk.getByRole("listitem", { name: /^Passport/ })).toContainText(`Entered by ${nameOf(kofi)}`);

  await page.goto("/student-dashboard");
  const entered = page.getByRole("list", { name: "Entered for you" });
  await expect(entered).toContainText(`Entered by ${nameOf(kofi)}`);
  await expect(entered).toContainText("Passport number, City");
  await page.goto("/student-profile");
  const entries = page.getByRole("list", { name: "Entered by others" });
  await expect(entries).toContainText("Passport number, City.");
  await page.getByLabel("City").fill("Accra");
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expect(entries).toContainText(": Passport number.");
  await page.goto("/student-documents");
  await expect(page.getByRole("listitem", { name: /^Passport/ })).toContainText(`Entered by ${nameOf(kofi)}`);

  const { id } = (await call(page.request, server.url, "applications/submit", {
    program: "MSc Data Science",
    highestStudyLevel: "Postgraduate",
    country: ["GB"],
    startDate: "Spring Intake (January)",
    additionalInfo: "",
  })) as { id: string };
  await call(desk.request, server.url, "applications/move", {
    applicationId: id,
    version: 1,
    to: "inReview",
    note: "",
  });
  await call(desk.request, server.url, "applications/askConfirmation", { applicationId: id });
  await page.goto(`/application/${id}`);
  await expect(page.getByText(`Entered by ${nameOf(kofi)}`).first()).toBeVisible();
  await confirmList(page, server, ada);
});
