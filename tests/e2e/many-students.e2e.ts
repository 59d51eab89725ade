import { readFile } from "node:fs/promises";
import { approvedAgent, nameOf, signedInAsAdmin, someStudent } from "./people.ts";
import { expect, test } from "./story.ts";

test("an admin keeps a view, assigns its students at once, and takes a file out and in again without a change", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const [office, agent, second] = [await anotherBrowser(), await anotherBrowser(), await anotherBrowser()];
  const ada = await someStudent(page, server.url);
  await someStudent(second, server.url);
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
  await office.getByRole("button", { name: "Import" }).click();
  const bringingIn = office.getByRole("dialog", { name: "Import a CSV file" });
  await bringingIn.getByLabel("CSV file").setInputFiles({
    name: "students.csv",
    mimeType: "text/csv",
    buffer: await readFile(file),
  });
  await bringingIn.getByRole("button", { name: "Preview" }).click();
  await expect(office.getByText(/^0 will be changed/)).toBeVisible();
  await expect(office.getByRole("button", { name: "Nothing to change" })).toBeVisible();
});
