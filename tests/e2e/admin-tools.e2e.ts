import { readFile } from "node:fs/promises";
import { textIn } from "#tests/support/caller.ts";
import { call } from "./call.ts";
import { nameOf, searchableStudent, signedInAsAdmin, signedUp, waitingAgent } from "./people.ts";
import { saveButton, saved } from "./profile-steps.ts";
import { agentCard, isHydrated, results } from "./steps.ts";
import { adminOfStory, expect, test } from "./story.ts";

test("an admin disables an account from the list, and finds in the audit log who did it", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const home = await anotherBrowser();
  const ada = await searchableStudent(home, server.url);
  const calendar = textIn(await call(home.request, server.url, "planner/makeCalendar", {}), "url");
  const calendarStatus = async () => (await home.request.get(calendar)).status();
  await home.goto("/student-dashboard");
  await expect(home.getByRole("heading", { level: 1 })).toHaveText("Hello, Ada");

  await signedInAsAdmin(page, server.url);
  await page.goto("/admin-dashboard");
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Accounts" }).click();
  await isHydrated(page);
  await page.getByLabel("Search accounts").fill(`${ada.lastName} ada`);
  await expect(results(page)).toHaveText("1 account");
  await expect(page).toHaveURL(/search=/);
  const row = page.getByRole("row", { name: nameOf(ada) });
  await expect(row).toContainText(ada.email);
  await expect(row).toContainText("Active");
  const logOut = row.getByRole("button", { name: `Log out ${nameOf(ada)}` });
  const dialog = page.getByRole("dialog", { name: "Log out everywhere" });
  const endsKeys = dialog.getByLabel("End API keys and the calendar's address too");
  await logOut.click();
  await expect(dialog).toContainText("API keys, webhooks and the calendar's address stay.");
  await expect(endsKeys).not.toBeChecked();
  await dialog.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByText(`${nameOf(ada)} is logged out everywhere.`)).toBeVisible();
  await expect(home).toHaveURL(/\/login/);
  expect(await calendarStatus()).toBe(200);
  await logOut.click();
  await endsKeys.check();
  await dialog.getByRole("button", { name: "Log out" }).click();
  await expect.poll(calendarStatus).toBe(404);
  await row.getByRole("button", { name: `Disable ${nameOf(ada)}` }).click();
  await page
    .getByRole("dialog", { name: "Disable account" })
    .getByRole("button", { name: "Disable" })
    .click();
  await expect(row).toContainText("Disabled");

  await page.getByLabel("Status").selectOption("Active");
  await expect(page.getByRole("heading", { name: "No accounts found" })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Status")).toHaveValue("active");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel("Search accounts").fill(ada.email);
  await expect(results(page)).toHaveText("1 account");
  await row.getByRole("button", { name: `Enable ${nameOf(ada)}` }).click();
  await expect(row).toContainText("Active");

  await row.getByRole("link", { name: `Log of ${nameOf(ada)}` }).click();
  const entries = page.getByRole("row");
  await expect(entries.nth(1)).toContainText("Enabled an account");
  await expect(entries.nth(1)).toContainText(adminOfStory().email);
  await expect(entries.nth(2)).toContainText("Disabled an account");
});

test("the audit log is filtered by its address, and downloads as shown", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const home = await anotherBrowser();
  const ada = await signedUp(home, server.url, "student");
  await signedInAsAdmin(page, server.url);
  await page.goto("/admin/audit");
  await isHydrated(page);
  await page.getByLabel("Action").selectOption("Signed up");
  await page.getByLabel("Who", { exact: true }).fill(ada.email);
  await expect(results(page)).toHaveText("1 entry");
  await expect(page).toHaveURL(`/admin/audit?action=sign-up&who=${encodeURIComponent(ada.email)}`);
  await page.reload();
  await expect(page.getByRole("rowheader")).toHaveText(["Signed up"]);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("audit-log.csv");
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`,Signed up,sign-up,${ada.email},`);

  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await expect(page.getByRole("heading", { name: "No entries found" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL("/admin/audit");
  // The download itself is the newest entry, except for concurrent stories.
  await page.getByLabel("Action").selectOption("Exported the audit log");
  await expect(page.getByRole("row").nth(1)).toContainText(adminOfStory().email);
});

test("the dashboard begins with waiting work, and agents are found by their agency", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const kofi = await waitingAgent(await anotherBrowser(), server);
  await signedInAsAdmin(page, server.url);
  await page.goto("/admin-dashboard");
  const overview = page.getByRole("region", { name: "Overview" });
  await expect(overview.getByRole("listitem").filter({ hasText: "Agents waiting" })).toContainText(
    /since \d/,
  );
  await expect(overview.getByRole("table", { name: /Students by state of application/ })).toBeVisible();
  await isHydrated(page);
  await page.getByLabel("Search agents").fill(`north ${kofi.lastName}`);
  await expect(results(page)).toHaveText("1 agent");
  await expect(agentCard(page, nameOf(kofi))).toBeVisible();
  await page.getByLabel("Search agents").fill("no such agency");
  await expect(page.getByRole("heading", { name: "No agents found" })).toBeVisible();
});

test("figures and bars of the overview lead to the students that they count", async ({ page, server }) => {
  await signedInAsAdmin(page, server.url);
  await page.goto("/admin-dashboard");
  await isHydrated(page);
  const overview = page.getByRole("region", { name: "Overview" });
  await overview.getByRole("link", { name: "Documents to review" }).click();
  await expect(page).toHaveURL("/manage-students?situation=documentsToReview");
  await expect(page.getByLabel("Students with")).toHaveValue("documentsToReview");
  // The empty list offers it a second time.
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(page).toHaveURL("/manage-students");
  await page.getByLabel("Students with").selectOption("Visa");
  await expect(page).toHaveURL("/manage-students?situation=visa");
});

test("an admin marks two students with one phone number as different people", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const phone = `+234 803 ${String(Math.random()).slice(2, 9)}`;
  const people = [];
  for (let at = 0; at < 2; at++) {
    const browser = await anotherBrowser();
    people.push(await searchableStudent(browser, server.url));
    await browser.goto("/student-profile");
    await browser.getByLabel("Phone number").fill(phone);
    await saveButton(browser.getByRole("main")).click();
    await expect(browser.getByText(saved)).toBeVisible();
  }
  const [ada, other] = people;
  if (!ada || !other) throw new Error("two students signed up");
  await signedInAsAdmin(page, server.url);
  await page.goto("/admin/duplicates");
  const group = page.getByRole("listitem").filter({ hasText: ada.email }).filter({ hasText: other.email });
  await expect(group.getByRole("heading", { name: "Same phone number" })).toBeVisible();
  await group.getByRole("button", { name: "Different people" }).click();
  await expect(group).toHaveCount(0);
  await page.getByRole("button", { name: "Decided" }).click();
  await group.getByRole("button", { name: "Look again" }).click();
  await page.getByRole("button", { name: "To decide" }).click();
  await expect(group.getByRole("heading", { name: "Same phone number" })).toBeVisible();
});
