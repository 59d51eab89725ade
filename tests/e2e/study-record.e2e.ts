import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { inDatabase } from "./auctioneer.ts";
import { call } from "./call.ts";
import { approvedAgent, idAt, nameOf, searchableStudent, signedInAsAdmin } from "./people.ts";
import { expect, test } from "./story.ts";

test("a student enters a record, the agent adds to it, and finds who fits a programme", async ({
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
  const programmeId = await inDatabase(server, async (store) =>
    storeProgrammeOf(store, await storeInstitution(store, { name: `University of ${studentId}` }), {
      intakes: [{ year: 2028, month: 1, state: "open", deadlines: [] }],
      requirementSets: [
        [
          { kind: "qualification", country: null, award: "secondary", scale: "aLevel", grade: "C" },
          { kind: "english", test: "ieltsAcademic", overall: 6.5, components: { writing: 6.5 }, years: 2 },
        ],
      ],
    }),
  );

  await page.goto("/student-profile");
  await page.getByRole("button", { name: "Add an English test" }).click();
  const test = page.getByRole("dialog", { name: "Add an English test" });
  await expect(test.getByLabel("Speaking")).toBeVisible();
  await test.getByLabel("Test").selectOption("Duolingo English Test");
  await expect(test.getByLabel("Speaking")).toHaveCount(0);
  await expect(test.getByLabel("Literacy")).toBeVisible();
  await test.getByLabel("Test").selectOption("IELTS Academic");
  await test.getByLabel("Taken on").fill("2026-03-14");
  await test.getByLabel("Overall score").fill("6.3");
  await test.getByRole("button", { name: "Save test" }).click();
  await page.getByRole("dialog", { name: "Not saved" }).getByRole("button", { name: "OK" }).click();
  await test.getByLabel("Overall score").fill("6,5");
  await test.getByLabel("Writing").fill("6");
  await test.getByRole("button", { name: "Save test" }).click();
  await expect(test).toBeHidden();
  const tests = page.getByRole("list", { name: "English tests" });
  await expect(tests).toContainText("IELTS Academic 6.5");
  await expect(tests).toContainText("Taken on 14 March 2026. Too old for starts after 14 March 2028.");
  await expect(tests).toContainText("Not entered: listening, reading, speaking");
  await expect(page.getByText("No qualifications yet.")).toBeVisible();

  await desk.goto(`/manage-students?filter=mine&student=${studentId}`);
  await desk.getByRole("button", { name: "Show record of studies" }).click();
  await expect(desk.getByRole("list", { name: "English tests" })).toContainText("writing 6.0");
  await desk.getByRole("button", { name: "Add a qualification" }).click();
  const form = desk.getByRole("dialog", { name: "Add a qualification" });
  await form.getByLabel("What is it?").selectOption("School-leaving qualification");
  await form.getByLabel("Country").selectOption("United Kingdom");
  await form.getByLabel("Year").fill("2025");
  await form.getByLabel("Scale of its grades").selectOption("A-level");
  await form.getByLabel("Overall grade (optional)").selectOption("B");
  await form.getByRole("button", { name: "Add a subject" }).click();
  await form.getByLabel("Subject 1", { exact: true }).fill("Mathematics");
  await form.getByLabel("Grade of subject 1").selectOption("A");
  await form.getByRole("button", { name: "Save qualification" }).click();
  await expect(form).toBeHidden();
  await expect(desk.getByRole("list", { name: "Qualifications" })).toContainText("Mathematics A");

  // The student's page shows it automatically.
  const qualifications = page.getByRole("list", { name: "Qualifications" });
  await expect(qualifications).toContainText(`Entered by ${nameOf(kofi)}`);
  await page.goto("/who-looked");
  await expect(page.getByText("Viewed your record of qualifications and tests").first()).toBeVisible();

  await desk.goto(`/manage-students?fits=${programmeId}`);
  await expect(desk.getByText("One gap: writing 6.0, asked 6.5")).toBeVisible();
  await expect(desk.getByRole("region", { name: "Which students fit" })).toContainText(
    "0 may enter · 1 with one gap",
  );
  await desk.getByRole("button", { name: "May enter", exact: true }).click();
  await expect(desk.getByRole("heading", { name: "Nobody is known to fit" })).toBeVisible();
  await page.goto("/student-profile");
  await page.getByRole("button", { name: "Change IELTS Academic 6.5" }).click();
  await page.getByLabel("Writing").fill("7");
  await page.getByRole("button", { name: "Save test" }).click();
  // The agent's list shows the change automatically.
  await expect(desk.getByRole("button", { name: nameOf(ada), exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Remove IELTS Academic 6.5" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("No English tests yet.")).toBeVisible();
});
