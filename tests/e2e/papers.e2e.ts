import type { Page } from "@playwright/test";
import { jpeg } from "#tests/support/files.ts";
import { call } from "./call.ts";
import { approvedAgent, idAt, nameOf, type Person, searchableStudent, signedInAsAdmin } from "./people.ts";
import { hasLoaded, results } from "./steps.ts";
import { expect, test } from "./story.ts";
import { aFile, choose } from "./uploads.ts";

/** Opens a student's row in Manage Students. */
async function openRow(page: Page, student: Person): Promise<void> {
  await page.goto(`/manage-students?${new URLSearchParams({ search: student.lastName }).toString()}`);
  await expect(results(page)).toHaveText("1 student");
  await page.getByRole("button", { name: nameOf(student), exact: true }).click();
  await expect(page.getByRole("progressbar", { name: "Overall" })).toBeVisible();
  await hasLoaded(page);
}

test.describe("documents and details", () => {
  // Opening details is refused until there is a reason, and the page of the agent who loses a student refetches.
  test.use({ expectsRefusals: true });

  test("an admin gives a reason once, opens details and a document, and the student reads who opened them and why", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const ada = await searchableStudent(page, server.url);
    await page.goto("/student-documents");
    await choose(page, "Choose file for Passport", aFile("my passport.jpg", jpeg(800, 600)));
    await page.getByRole("button", { name: "Upload 1 file" }).click();
    await expect(page.getByText("1 document uploaded, 5 still missing")).toBeVisible();
    await page.getByRole("link", { name: "Who looked at your papers" }).click();
    await expect(page.getByRole("heading", { name: "Nobody has looked yet" })).toBeVisible();

    const office = await anotherBrowser();
    await signedInAsAdmin(office, server.url);
    await openRow(office, ada);
    await office.getByRole("button", { name: "Show identity details" }).click();
    const question = office.getByRole("dialog", { name: `Why are you opening ${nameOf(ada)}'s papers?` });
    await question.getByRole("button", { name: "Continue" }).click();
    const missing = office.getByRole("dialog", { name: "Error" });
    await expect(missing).toContainText("Please give a reason.");
    await missing.getByRole("button", { name: "OK" }).click();
    await question.getByLabel("Reason").fill("The embassy called about the passport.");
    await question.getByRole("button", { name: "Continue" }).click();
    await expect(office.getByRole("button", { name: "Hide identity details" })).toBeVisible();
    // The reason applies to the documents that are opened next.
    const opened = office.waitForEvent("popup");
    await office.getByRole("button", { name: "View Passport" }).click();
    await expect.poll(async () => (await opened).url()).toContain("/files/documents/");
    await (await opened).close();

    await page.reload();
    const look = page.getByRole("list", { name: "Looks" }).getByRole("listitem").first();
    await expect(look).toContainText("Administrator");
    await expect(look).toContainText("Viewed your identity details");
    await expect(look).toContainText("Viewed Passport (my passport.jpg)");
    await expect(look).toContainText("Reason: The embassy called about the passport.");
  });

  test("an agent writes a note, hands over with another one, and the next agent reads both", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const ada = await searchableStudent(page, server.url);
    const [office, agent, other] = [await anotherBrowser(), await anotherBrowser(), await anotherBrowser()];
    await signedInAsAdmin(office, server.url);
    await approvedAgent(agent, office, server);
    const yaw = await approvedAgent(other, office, server);
    const [studentId, agentId] = [await idAt(page, server.url), await idAt(agent, server.url)];
    await call(agent.request, server.url, "students/assign", { studentId, agentId, expectedAgentId: null });

    await openRow(agent, ada);
    const notes = agent.getByRole("region", { name: "Notes", exact: true });
    await expect(notes).toContainText("Staff only. The student can ask to read this.");
    await notes.getByLabel("Kind").selectOption("Meeting");
    await notes.getByLabel("New note").fill("Met the parents at the fair.");
    await notes.getByRole("button", { name: "Save note" }).click();
    await expect(notes.getByRole("listitem")).toContainText("Met the parents at the fair.");
    // The form is reset once the note is saved, which moves the list.
    await expect(notes.getByLabel("New note")).toHaveValue("");
    await notes.getByRole("button", { name: /^Pin/ }).click();
    await expect(notes.getByText("Pinned")).toBeVisible();

    await agent.getByRole("button", { name: `Reassign: ${nameOf(ada)}` }).click();
    const dialog = agent.getByRole("dialog");
    await dialog.getByLabel("Note for the next agent (optional)").fill("The deposit is due in May.");
    await dialog.getByLabel("Search agents").fill(yaw.lastName);
    await dialog
      .getByRole("list", { name: "Agents" })
      .getByRole("button", { name: nameOf(yaw) })
      .click();
    await expect(agent.getByText("Agent assigned successfully!")).toBeVisible();
    await expect(notes).toHaveCount(0);

    await openRow(other, ada);
    const inherited = other.getByRole("region", { name: "Notes", exact: true }).getByRole("listitem");
    await expect(inherited).toHaveCount(2);
    await expect(inherited.first()).toContainText("Met the parents at the fair.");
    await expect(inherited.last()).toContainText("The deposit is due in May.");
  });
});
