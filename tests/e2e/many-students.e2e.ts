import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { studentsPerPage } from "#protocol/page-sizes.ts";
import { addStudents } from "#tests/support/bulk-runs.ts";
import { inDatabase } from "./auctioneer.ts";
import { call } from "./call.ts";
import { approvedAgent, idAt, nameOf, type Person, searchableStudent, signedInAsAdmin } from "./people.ts";
import { results } from "./steps.ts";
import { expect, test } from "./story.ts";

test("an admin saves a view, assigns its students together, and exports and imports a file without a change", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const [office, agent, second] = [await anotherBrowser(), await anotherBrowser(), await anotherBrowser()];
  const ada = await searchableStudent(page, server.url);
  await searchableStudent(second, server.url);
  await signedInAsAdmin(office, server.url);
  const kofi = await approvedAgent(agent, office, server);

  await office.goto(`/manage-students?search=${encodeURIComponent(ada.lastName)}`);
  await office.getByRole("button", { name: "Saved views" }).click();
  const views = office.getByRole("dialog", { name: "Saved views" });
  await views.getByLabel("Name").fill("Just Ada");
  await views.getByRole("button", { name: "Save view" }).click();
  await office.goto("/manage-students");
  await office.getByRole("button", { name: "Saved views" }).click();
  await expect(views.getByText(/Only for you · 1 student/)).toBeVisible();
  await views.getByRole("button", { name: "Open Just Ada" }).click();
  await expect(office).toHaveURL(/search=/);
  await expect(results(office)).toHaveText("1 student");

  await office.getByLabel(`Choose ${nameOf(ada)}`).check();
  await office.getByRole("button", { name: "Assign", exact: true }).click();
  const choice = office.getByRole("dialog", { name: "Assign 1 student" });
  await choice.getByLabel("Search agents").fill(kofi.lastName);
  await expect(choice.getByRole("button", { name: kofi.firstName })).toHaveCount(1);
  await choice.getByRole("button", { name: nameOf(kofi) }).click();
  await expect(office.getByText("1 will be changed. Nothing has changed yet.")).toBeVisible();
  await office.getByRole("button", { name: "Change 1" }).click();
  await expect(office.getByText("1 changed.")).toBeVisible();
  await expect(office.getByRole("button", { name: /^Take back until/ })).toBeVisible();

  await office.goto(`/manage-students?search=${encodeURIComponent(ada.lastName)}`);
  await office.getByLabel(`Choose ${nameOf(ada)}`).check();
  await office.getByRole("button", { name: "Message", exact: true }).click();
  const writing = office.getByRole("dialog", { name: "Write to 1 student" });
  await writing.getByLabel("Message").fill("The deposit is due on Friday.");
  await writing.getByRole("button", { name: "Preview" }).click();
  await expect(office.getByText("1 will be sent. Nothing has been sent yet.")).toBeVisible();
  await office.getByRole("button", { name: "Send 1" }).click();
  await expect(office.getByText("1 sent.")).toBeVisible();
  await page.goto("/messages");
  await expect(page.getByText("The deposit is due on Friday.").first()).toBeVisible();

  await office.goto("/manage-students");
  await office.getByRole("button", { name: "Export list" }).click();
  const download = office.waitForEvent("download");
  await office.getByRole("dialog").getByRole("button", { name: "Export", exact: true }).click();
  const file = await (await download).path();
  expect(await readFile(file, "utf8")).toContain(nameOf(ada));
  await openImport(office, await readFile(file));
  await expect(office.getByText(/^0 will be changed/)).toBeVisible();
  await expect(office.getByRole("button", { name: "Nothing to change" })).toBeVisible();

  await office.goto("/manage-students");
  await office.getByRole("button", { name: "Import" }).click();
  const template = office.waitForEvent("download");
  await office.getByRole("link", { name: "Download a template" }).click();
  const example = await readFile(await (await template).path());
  await office.getByRole("button", { name: "Cancel" }).click();
  await openImport(office, example);
  await expect(office.getByText("0 will be changed, 1 won't. Nothing has changed yet.")).toBeVisible();
  await expect(office.getByRole("list", { name: "Left out" })).toHaveText("1 No such student");
});

/** Opens the preview of a CSV file's import on Manage Students. */
async function openImport(office: Page, buffer: Buffer): Promise<void> {
  await office.getByRole("button", { name: "Import" }).click();
  const dialog = office.getByRole("dialog", { name: "Import a CSV file" });
  await dialog.getByLabel("CSV file").setInputFiles({ name: "students.csv", mimeType: "text/csv", buffer });
  await dialog.getByRole("button", { name: "Preview" }).click();
}

test("an admin moves applications together, and reads which one was left out and why", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const [office, second] = [await anotherBrowser(), await anotherBrowser()];
  const [ada, bea] = [await searchableStudent(page, server.url), await searchableStudent(second, server.url)];
  await signedInAsAdmin(office, server.url);
  await call(page.request, server.url, "applications/submit", {
    program: "MSc Data Science",
    highestStudyLevel: "Postgraduate",
    country: ["CA"],
    startDate: "Spring Intake (January)",
    additionalInfo: "",
  });
  await office.goto("/manage-students");
  for (const student of [ada, bea]) {
    await office.getByLabel("Search by name, email or phone").fill(student.lastName);
    // A press while the rows change may end on another row.
    await expect(results(office)).toHaveText("1 student");
    await office.getByLabel(`Choose ${nameOf(student)}`).check();
  }
  const preview = async () => {
    await office.getByRole("button", { name: "Move applications" }).click();
    const form = office.getByRole("dialog", { name: "Move applications" });
    await form.getByLabel("Applications in").selectOption("Submitted");
    await form.getByLabel("Move to").selectOption("In review");
    await form.getByRole("button", { name: "Preview" }).click();
  };
  await preview();
  await office.getByRole("link", { name: "Cancel" }).click();
  await expect(office).toHaveURL(/search=/);
  await expect(office.getByText("2 chosen")).toBeVisible();
  await preview();
  await expect(office.getByText("1 will be changed, 1 won't. Nothing has changed yet.")).toBeVisible();
  await expect(office.getByRole("list", { name: "Left out" })).toHaveText("1 No application");
  await office.getByRole("button", { name: "Change 1" }).click();
  await expect(office.getByText("1 changed, 1 left out.")).toBeVisible();
  await expect(office.getByRole("row").filter({ hasText: nameOf(ada) })).toContainText("Changed");
  await expect(office.getByRole("row").filter({ hasText: nameOf(bea) })).toContainText("No application");
  await page.goto("/student-dashboard");
  await expect(page.getByText("In review").first()).toBeVisible();
});

test("an admin tries a message's failed row again, which reaches that student too", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const [office, second] = [await anotherBrowser(), await anotherBrowser()];
  const [ada, bea] = [await searchableStudent(page, server.url), await searchableStudent(second, server.url)];
  await signedInAsAdmin(office, server.url);
  const beasId = await idAt(second, server.url);
  const alterThreads = (change: string) =>
    inDatabase(server, ({ services: { database } }) => database.pool.query(`alter table thread ${change}`));

  await office.goto("/manage-students");
  for (const student of [ada, bea]) {
    await office.getByLabel("Search by name, email or phone").fill(student.lastName);
    // A press while the rows change may end on another row.
    await expect(results(office)).toHaveText("1 student");
    await office.getByLabel(`Choose ${nameOf(student)}`).check();
  }
  await office.getByRole("button", { name: "Message", exact: true }).click();
  const writing = office.getByRole("dialog", { name: "Write to 2 students" });
  await writing.getByLabel("Message").fill("The deposit is due on Friday.");
  await writing.getByRole("button", { name: "Preview" }).click();
  server.expectedErrors.push("a row of a bulk run failed");
  await alterThreads(`add constraint fault check (student_id <> '${beasId}') not valid`);
  await office.getByRole("button", { name: "Send 2" }).click();
  await expect(office.getByText("1 sent, 1 failed.")).toBeVisible();
  const row = (student: Person) => office.getByRole("row").filter({ hasText: nameOf(student) });
  await expect(row(ada)).toContainText("Sent");
  await expect(row(bea)).toContainText("Failed");
  await alterThreads("drop constraint fault");

  await office.getByRole("button", { name: "Try the failed rows again" }).click();
  await expect(office.getByText("2 sent.")).toBeVisible();
  await expect(row(bea)).toContainText("Sent");
  await expect(office.getByRole("button", { name: "Try the failed rows again" })).toHaveCount(0);
  for (const own of [page, second]) {
    await own.goto("/messages");
    await own.getByRole("list", { name: "Conversations" }).getByRole("link").click();
    const messages = own.getByRole("region", { name: "Messages", exact: true }).getByRole("listitem");
    await expect(messages.filter({ hasText: "The deposit is due on Friday." })).toHaveCount(1);
  }
});

test("an admin selects all matches but one, and they stay selected on other pages and under other filters", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  const kofi = await approvedAgent(page, office, server);
  const agent = { id: await idAt(page, server.url) };
  const number = studentsPerPage + 2;
  const names = await inDatabase(server, (store) => addStudents(store, number, agent, null));
  const [first = "", last = ""] = [names[0], names.at(-1)];
  await office.goto(`/manage-students?agentId=${agent.id}`);
  await office.getByRole("button", { name: `Choose all ${number} that match` }).click();
  const bar = office.getByRole("region", { name: "Chosen students" });
  const allButOne = bar.getByText(`${number - 1} chosen`, { exact: true });
  await expect(bar.getByText(`${number} chosen`, { exact: true })).toBeVisible();
  await office.getByLabel(`Choose ${first}`).uncheck();
  await expect(allButOne).toBeVisible();
  await office.getByRole("button", { name: "Show more" }).click();
  await expect(office.getByLabel(`Choose ${last}`)).toBeChecked();
  await expect(office.getByLabel(`Choose ${first}`)).not.toBeChecked();
  await expect(allButOne).toBeVisible();
  await office.getByRole("button", { name: "Unassigned" }).click();
  await expect(office.getByLabel(`Choose ${last}`)).toHaveCount(0);
  await expect(allButOne).toBeVisible();
  await office.getByRole("button", { name: "All", exact: true }).click();
  await expect(office.getByLabel(`Choose ${names[1]}`)).toBeChecked();
  await expect(office.getByLabel(`Choose ${first}`)).not.toBeChecked();

  await office.getByRole("button", { name: "Assign", exact: true }).click();
  const assigning = office.getByRole("dialog", { name: `Assign ${number - 1} students` });
  await assigning.getByRole("button", { name: "Leave without an agent" }).click();
  await expect(office.getByText(`${number - 1} will be changed. Nothing has changed yet.`)).toBeVisible();
  await office.getByRole("button", { name: `Change ${number - 1}` }).click();
  await expect(office.getByText(`${number - 1} changed.`)).toBeVisible();
  await office.goto(`/manage-students?agentId=${agent.id}`);
  await expect(results(office)).toHaveText("1 student");
  await expect(office.getByRole("row").filter({ hasText: first })).toContainText(nameOf(kofi));
});
