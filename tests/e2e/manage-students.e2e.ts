import type { Locator, Page } from "@playwright/test";
import { profileFields } from "#domain/profile.ts";
import { call } from "./call.ts";
import { approvedAgent, nameOf, type Person, searchableStudent, signedInAsAdmin } from "./people.ts";
import { results } from "./steps.ts";
import { expect, test } from "./story.ts";

const idNumber = "GHA-721-990-315";

/** Creates a student with a complete profile, whom a search finds alone. */
async function studentWithProfile(page: Page, origin: string): Promise<Person> {
  const person = await searchableStudent(page, origin);
  const texts = profileFields.filter((field) => field !== "email").map((field) => [field, ""] as const);
  const identity = { firstName: person.firstName, lastName: person.lastName, idNumber };
  await call(page.request, origin, "profile/save", {
    version: 0,
    profile: { ...Object.fromEntries(texts), ...identity },
  });
  return person;
}

/** Finds a student by name in Manage Students; returns the row. */
async function find(page: Page, student: Person): Promise<Locator> {
  await page.goto("/manage-students");
  await page.getByPlaceholder("Search by name...").fill(student.lastName.toUpperCase());
  await expect(page).toHaveURL(/search=/);
  // Buttons still move until the other rows are gone.
  await expect(results(page)).toHaveText("1 student");
  return page.getByRole("row", { name: nameOf(student) });
}

const open = (page: Page, student: Person) =>
  page.getByRole("button", { name: nameOf(student), exact: true }).click();
const identityButton = (page: Page) => page.getByRole("button", { name: "Show identity details" });

/** Returns the status of a request for the identity of the student whose row is open. */
async function identityStatus(page: Page, origin: string): Promise<number> {
  const studentId = new URL(page.url()).searchParams.get("student");
  const answer = await page.request.post(`${origin}/rpc/students/identity`, {
    headers: { "content-type": "application/json", "x-csrf-token": "orpc", origin },
    data: JSON.stringify({ json: { studentId } }),
  });
  return answer.status();
}

test.describe("access", () => {
  // The page of the agent who loses the student refetches, and is refused.
  test.use({ expectsRefusals: true });

  test("an agent takes a student and sees their identity; reassigning ends that immediately", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const [office, agent, other] = [await anotherBrowser(), await anotherBrowser(), await anotherBrowser()];
    const ada = await studentWithProfile(page, server.url);
    await signedInAsAdmin(office, server.url);
    const kofi = await approvedAgent(agent, office, server);
    const yaw = await approvedAgent(other, office, server);
    await page.goto("/student-dashboard");
    await expect(page.getByText("No agent assigned yet.")).toBeVisible();

    await agent.goto("/agent-dashboard");
    await expect(agent.getByText("Nothing needs your attention right now.")).toBeVisible();
    const theirs = await find(other, ada);
    const row = await find(agent, ada);
    await row.getByRole("button", { name: "Assign Agent" }).click();
    await agent.getByRole("dialog").getByRole("button", { name: "Assign to me" }).click();
    await expect(agent.getByText("Agent assigned successfully!")).toBeVisible();
    await expect(row).toContainText(nameOf(kofi));

    // The student's page updates automatically.
    await expect(page.getByText(nameOf(kofi)).first()).toBeVisible();
    await page.getByRole("button", { name: "Notifications, 1 unread" }).click();
    const panel = page.getByRole("region", { name: "Newest notifications" });
    await expect(panel).toContainText(`${nameOf(kofi)} is now your agent`);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();

    await open(agent, ada);
    await expect(agent.getByText(idNumber)).toHaveCount(0);
    await identityButton(agent).click();
    await expect(agent.getByText(idNumber)).toBeVisible();

    // The page of an unrelated agent updates automatically.
    await expect(theirs).toContainText(nameOf(kofi));
    await expect(theirs.getByRole("button", { name: /ssign/ })).toHaveCount(0);
    await open(other, ada);
    await expect(other.getByText("Documents uploaded")).toBeVisible();
    await expect(identityButton(other)).toHaveCount(0);
    expect(await identityStatus(other, server.url)).toBe(404);
    expect(await identityStatus(agent, server.url)).toBe(200);

    await (await find(office, ada)).getByRole("button", { name: "Reassign" }).click();
    const choice = office.getByRole("dialog");
    await choice.getByLabel("Search agents").fill(yaw.lastName);
    await expect(results(choice)).toHaveText("1 agent");
    await choice.getByRole("button", { name: nameOf(yaw) }).click();
    await expect(office.getByText("Agent assigned successfully!")).toBeVisible();

    // Both agents' pages update automatically.
    await expect(row).toContainText(nameOf(yaw));
    await expect(agent.getByText(idNumber)).toHaveCount(0);
    await expect(identityButton(agent)).toHaveCount(0);
    expect(await identityStatus(agent, server.url)).toBe(404);
    await expect(identityButton(other)).toBeVisible();
    await other.getByRole("button", { name: "Notifications, 1 unread" }).click();
    await other.getByRole("link", { name: `${nameOf(ada)} is now your student` }).click();
    await expect(other).toHaveURL(/filter=mine/);
    await other.goto("/agent-dashboard");
    await other
      .getByRole("region", { name: "Waiting for you" })
      .getByRole("link", { name: nameOf(ada) })
      .click();
    await expect(identityButton(other)).toBeVisible();
  });
});

/** Runs in the page: returns how much wider the table is than its container. */
const findOverflow = `(() => {
  const { scrollWidth, clientWidth } = document.querySelector("section[aria-label=Students]");
  return scrollWidth - clientWidth;
})()`;

test("the table is searched, sorted and filtered, and its address restores that", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const ada = await studentWithProfile(await anotherBrowser(), server.url);
  await signedInAsAdmin(page, server.url);
  const row = await find(page, ada);
  for (const width of [768, 1024, 1279, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate<number>(findOverflow), `pixels too wide at ${width}`).toBe(0);
  }
  await expect(page.getByRole("columnheader")).toHaveText([
    "Name",
    "Email",
    "Phone",
    "Country",
    "Shortlist",
    "Actions",
    "Assign Agent",
  ]);
  const header = page.getByRole("columnheader", { name: "Email" });
  await expect(header).toHaveAttribute("aria-sort", "none");
  await header.getByRole("button").click();
  await expect(header).toHaveAttribute("aria-sort", "ascending");
  await header.getByRole("button").click();
  await expect(header).toHaveAttribute("aria-sort", "descending");
  await page.getByRole("button", { name: "Unassigned" }).click();
  await open(page, ada);
  await expect(page).toHaveURL(/search=.*filter=unassigned&sort=email&direction=descending&student=/);
  await page.reload();
  await expect(header).toHaveAttribute("aria-sort", "descending");
  await expect(page.getByRole("button", { name: nameOf(ada), exact: true })).toHaveAttribute(
    "aria-expanded",
    "true",
  );
  await expect(page.getByText("No agent assigned yet.")).toBeVisible();

  await row.getByRole("button", { name: "Shortlist" }).click();
  const shortlist = page.getByRole("dialog", { name: "Shortlist" });
  await expect(shortlist.getByRole("link", { name: "Open shortlist" })).toHaveAttribute(
    "href",
    /^\/shortlist\?student=.+/,
  );
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: "View Applications" }).click();
  const applications = page.getByRole("dialog", { name: `Applications for ${nameOf(ada)}` });
  await expect(applications.getByText("No applications found.")).toBeVisible();
  await page.keyboard.press("Escape");
  // A field behind an open dialog can't be filled in.
  await expect(applications).toBeHidden();

  await expect(results(page)).toHaveText("1 student");
  await page.getByPlaceholder("Search by name...").fill("nobody has this name");
  await expect(page.getByText("No students found")).toBeVisible();
  await expect(results(page)).toHaveText("No students match");
  await page.getByRole("button", { name: "Clear search" }).click();
  await expect(row).toBeVisible();
});

test("a dialog of a row stays open when the list is refetched", async ({ page, server, anotherBrowser }) => {
  const ada = await studentWithProfile(await anotherBrowser(), server.url);
  await signedInAsAdmin(page, server.url);
  const row = await find(page, ada);
  await expect(results(page)).toHaveText("1 student");
  await expect(results(page)).toBeVisible();

  const [request, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/rpc/students/list", async (route) => {
    if (!route.request().postData()?.includes("nobody has this name")) return await route.continue();
    request.resolve();
    await answer.promise;
    await route.continue();
  });
  // The button is pressed before the typed search starts: the list is refetched only after that.
  await page.getByPlaceholder("Search by name...").fill("nobody has this name");
  await row.getByRole("button", { name: "View Applications" }).click();
  const applications = page.getByRole("dialog", { name: `Applications for ${nameOf(ada)}` });
  await request.promise;
  await expect(applications.getByText("No applications found.")).toBeVisible();
  answer.resolve();
  await expect(page.getByText("No students found")).toBeAttached();
  await expect(applications).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(applications).toBeHidden();
  await expect(results(page)).toHaveText("No students match");
});

test("an admin disables a student, who is logged out immediately, and enables them again", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const ada = await studentWithProfile(page, server.url);
  await page.goto("/student-dashboard");
  await expect(page.getByRole("heading", { name: "Hello, Ada" })).toBeVisible();
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  const row = await find(office, ada);
  await row.getByRole("button", { name: "Disable" }).click();
  await office.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(row.getByText("Disabled")).toBeVisible();
  await expect(page).toHaveURL(/\/login/);

  await row.getByRole("button", { name: "Enable" }).click();
  await office.getByRole("dialog").getByRole("button", { name: "Enable" }).click();
  await expect(row.getByText("Disabled")).toHaveCount(0);
  await call(page.request, server.url, "account/signIn", { email: ada.email, password: ada.password });
});
