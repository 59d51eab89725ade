import { fullDay } from "#tests/screens/planner.ts";
import { answered } from "#tests/screens/screen.ts";
import { pdf, png } from "#tests/support/files.ts";
import { nameOf, searchableStudent, signedInAsAdmin } from "./people.ts";
import { expect, test } from "./story.ts";
import { aFile, choose } from "./uploads.ts";

test("a student is asked for a document, sends it by choosing the file, and sends it again", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const ada = await searchableStudent(page, server.url);
  await page.goto("/student-dashboard");
  await expect(page.getByText("Your next step")).toBeVisible();
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  await office.goto("/manage-students");
  await office.getByPlaceholder("Search by name...").fill(ada.lastName);
  await office.getByRole("button", { name: nameOf(ada), exact: true }).click();
  await office.getByRole("button", { name: "Ask for documents" }).click();
  const asking = office.getByRole("dialog", { name: "Ask for documents" });
  await asking.getByLabel("Something else").fill("Bank statement");
  await asking.getByLabel("Why, and what to look out for").fill("The last three months.");
  await asking.getByLabel("Due on").fill("2020-03-29");
  await asking.getByLabel("At", { exact: true }).fill("01:30");
  await asking.getByLabel("On the clocks of").selectOption("Europe/London");
  await asking.getByRole("button", { name: "Send" }).click();
  await expect(asking).toBeHidden();

  const item = page.getByRole("listitem", { name: "Send: Bank statement" });
  await expect(item).toContainText("01:30 on 29 March 2020 in London");
  await expect(page.getByRole("heading", { name: /^1 thing to do, overdue by/ })).toBeVisible();
  await choose(page, "Choose and send Bank statement", aFile("statement.png", png()));
  await expect(item).toHaveCount(0);
  await page.getByText("Sent and done: 1").click();
  const statement = page
    .getByRole("list", { name: "Sent and done" })
    .getByRole("listitem", { name: "Bank statement" });
  await expect(statement).toContainText("Being checked");
  const opened = page.waitForEvent("popup");
  await statement.getByRole("button", { name: "View Bank statement" }).click();
  await expect.poll(async () => (await opened).url()).toContain("/files/requests/");
  await (await opened).close();

  const request = office.getByRole("listitem", { name: "Bank statement" });
  await expect(request).toContainText("To review");
  await request.getByRole("button", { name: "Send back: Bank statement" }).click();
  const question = office.getByRole("dialog", { name: "Send Bank statement back" });
  await question.getByLabel("Reason").fill("The last page is missing.");
  await question.getByRole("button", { name: "Send back" }).click();
  await expect(item).toContainText("Sent back: The last page is missing.");
  await expect(request).not.toContainText("To review");
  await choose(page, "Choose and send Bank statement", aFile("whole statement.pdf", pdf()));
  await expect(request).toContainText("To review");
  await request.getByRole("button", { name: "Accept: Bank statement" }).click();
  await expect(office.getByText("Requests: 1 closed")).toBeVisible();
  await expect(page.getByRole("heading", { name: /thing to do/ })).toHaveCount(0);
  await page.getByText("Sent and done: 1").click();
  await expect(statement).toContainText("Accepted");
});

test("an agent's task is in Today and leads to the student", async ({ page, server, anotherBrowser }) => {
  const ada = await searchableStudent(page, server.url);
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  await office.goto("/manage-students");
  await office.getByPlaceholder("Search by name...").fill(ada.lastName);
  await office.getByRole("button", { name: nameOf(ada), exact: true }).click();
  await office.getByRole("button", { name: "Add a task" }).click();
  const adding = office.getByRole("dialog", { name: "Add a task" });
  await adding.getByLabel("Title").fill("Call the embassy");
  await adding.getByLabel("Whose task it is").selectOption("Me");
  await adding.getByLabel("Due on").fill("2020-08-12");
  await adding.getByRole("button", { name: "Add task" }).click();
  await expect(adding).toBeHidden();
  await office.goto("/today");
  const overdue = office.getByRole("list", { name: "Overdue" });
  await overdue.getByRole("link", { name: new RegExp(`${nameOf(ada)}.*Call the embassy`) }).click();
  await office.getByRole("button", { name: "Mark as done: Call the embassy" }).click();
  await expect(office.getByRole("listitem", { name: "Call the embassy" })).toContainText("Done");
  await office.goto("/today");
  await expect(office.getByRole("heading", { name: "Today", level: 1 })).toBeVisible();
  await expect(office.getByText("Call the embassy")).toHaveCount(0);
});

test("Today begins with overdue work and ends with paused reminders", async ({ page, server }) => {
  await signedInAsAdmin(page, server.url);
  await answered("/rpc/planner/today", fullDay)(page);
  await page.goto("/today");
  await expect(page.getByRole("main").getByRole("heading")).toHaveText([
    "Today",
    "Due",
    "Overdue 12",
    "Due today 1",
    "Messages to answer",
    "Everything else",
    "Documents to review 1",
    "Replies due in 7 days 1",
    "Nothing moved for 14 days 1",
    "Passports that end too soon after the course 1",
    "Reminders start again 1",
    "Reminders paused 1",
  ]);
});
