import { nameOf, newPerson, signedInAsAdmin, signedUp } from "./people.ts";
import { agentCard, fillLogin, openTab, results, seeError, signUp } from "./steps.ts";
import { admins, expect, test } from "./story.ts";

test("an agent signs up, waits, and arrives at the dashboard when an admin approves", async ({
  page,
  server,
  anotherBrowser,
  mailedLink,
}) => {
  const kofi = newPerson("agent");
  await signUp(page, kofi);
  await expect(page).toHaveURL("/agent-pending");
  await expect(page.getByRole("heading", { name: "Account Pending Approval" })).toBeVisible();

  const admin = await anotherBrowser();
  await signedInAsAdmin(admin, server.url);
  await admin.goto("/admin-dashboard");
  const card = agentCard(admin, nameOf(kofi));
  await expect(card).toContainText(kofi.email);
  await expect(card).toContainText(kofi.agency);
  await expect(card).toContainText(/Applied: \d/);
  await card.getByRole("button", { name: "Approve" }).click();
  await expect(admin.getByText("Agent approved successfully!")).toBeVisible();

  // The agent touches nothing.
  await expect(page).toHaveURL("/agent-dashboard");
  for (const name of ["Profile", "Manage Students", "Upload Product"])
    await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
  expect(await mailedLink(kofi.email, /approved/)).toContain("/agent-dashboard");

  await openTab(admin, "Approved Agents");
  await expect(card).toContainText(/Approved: \d/);
  await expect(card).toContainText(`By: ${admins.ready.email}`);
});

test("the admin's other tab follows by itself", async ({ page, server, anotherBrowser }) => {
  await signedInAsAdmin(page, server.url);
  const other = await page.context().newPage();
  await page.goto("/admin-dashboard");
  await other.goto("/admin-dashboard");
  const counts = other.getByRole("tab");
  const shown = () => counts.allInnerTexts();
  await expect(counts.first()).toHaveText(/Pending Approvals \(\d+\)/);
  const before = (await shown()).map((text) => Number(/\d+/.exec(text)?.[0]));
  const [pending = 0, approved = 0] = before;
  await expect(counts.nth(1)).toHaveText(`Approved Agents (${approved})`);

  const applicant = await anotherBrowser();
  const kofi = await signedUp(applicant, server.url, "agent");
  await expect(counts.first()).toHaveText(`Pending Approvals (${pending + 1})`);
  await expect(agentCard(other, nameOf(kofi))).toBeVisible();

  await agentCard(page, nameOf(kofi)).getByRole("button", { name: "Approve" }).click();
  await expect(counts.first()).toHaveText(`Pending Approvals (${pending})`);
  await expect(counts.nth(1)).toHaveText(`Approved Agents (${approved + 1})`);
  await expect(agentCard(other, nameOf(kofi))).toBeHidden();
});

test.describe("revoking", () => {
  test.use({ expectsRefusals: true });

  test("a revoked agent is out at once, reads why at login, and can be approved again", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const kofi = await signedUp(page, server.url, "agent");
    await page.goto("/agent-pending");
    const admin = await anotherBrowser();
    await signedInAsAdmin(admin, server.url);
    await admin.goto("/admin-dashboard");
    const card = agentCard(admin, nameOf(kofi));
    await card.getByRole("button", { name: "Approve" }).click();
    await expect(page).toHaveURL("/agent-dashboard");

    await openTab(admin, "Approved Agents");
    await card.getByRole("button", { name: "Revoke" }).click();
    const question = admin.getByRole("dialog");
    await expect(question).toContainText("Are you sure you want to revoke this agent's access?");
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(page).toHaveURL("/agent-dashboard");
    await card.getByRole("button", { name: "Revoke" }).click();
    await question.getByRole("button", { name: "Revoke" }).click();
    await expect(admin.getByText("Agent access revoked successfully!")).toBeVisible();

    // The agent touches nothing.
    await expect(page).toHaveURL(/\/login/);
    await fillLogin(page, kofi);
    await seeError(
      page,
      "Login Error",
      "Your agent access has been revoked. Please contact support for more information.",
      null,
    );

    await openTab(admin, "Revoked and denied");
    await expect(card).toContainText(/Revoked: \d/);
    await card.getByRole("button", { name: "Approve again" }).click();
    await expect(card).toBeHidden();
    await fillLogin(page, kofi);
    await expect(page).toHaveURL("/agent-dashboard");
  });
});

test.describe("disabling", () => {
  test.use({ expectsRefusals: true });

  test("a disabled agent is out at once, other admins see it, and goes back to where they were when enabled", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const kofi = await signedUp(page, server.url, "agent");
    await page.goto("/agent-pending");
    const admin = await anotherBrowser();
    await signedInAsAdmin(admin, server.url);
    await admin.goto("/admin-dashboard");
    const card = agentCard(admin, nameOf(kofi));
    await card.getByRole("button", { name: "Approve" }).click();
    await expect(page).toHaveURL("/agent-dashboard");
    const other = await admin.context().newPage();
    await other.goto("/admin-dashboard");
    await openTab(other, "Revoked and denied");

    await openTab(admin, "Approved Agents");
    await card.getByRole("button", { name: "Disable" }).click();
    const question = admin.getByRole("dialog", { name: "Disable account" });
    await expect(question).toContainText(
      `${nameOf(kofi)} will be signed out at once and can't log in until the account is enabled again.`,
    );
    await question.getByRole("button", { name: "Disable" }).click();
    await expect(admin.getByText(`${nameOf(kofi)} is disabled.`)).toBeVisible();

    // Neither the agent nor the other admin touches anything.
    await expect(page).toHaveURL(/\/login/);
    await expect(agentCard(other, nameOf(kofi))).toContainText(/Disabled: \d/);
    await expect(agentCard(other, nameOf(kofi))).toContainText(`By: ${admins.ready.email}`);
    await fillLogin(page, kofi);
    await seeError(
      page,
      "Login Error",
      "This account has been disabled. Please contact support for assistance.",
      "auth/user-disabled",
    );

    await openTab(admin, "Revoked and denied");
    await card.getByRole("button", { name: "Enable" }).click();
    await expect(admin.getByText(`${nameOf(kofi)} is enabled again.`)).toBeVisible();
    await expect(card).toBeHidden();
    await expect(agentCard(other, nameOf(kofi))).toBeHidden();
    await openTab(admin, "Approved Agents");
    await expect(card).toBeVisible();
    await fillLogin(page, kofi);
    await expect(page).toHaveURL("/agent-dashboard");
  });
});

test("an admin sees empty lists in words", async ({ page, server }) => {
  // A browser with an answer of its own: the other stories leave agents behind.
  await page.route("**/rpc/agents/list", (route) =>
    route.fulfill({ json: { json: { agents: [], next: null } } }),
  );
  await signedInAsAdmin(page, server.url);
  await page.goto("/admin-dashboard");
  await expect(page.getByText("No pending agent applications.")).toBeVisible();
  await expect(results(page)).toHaveText("No agents");
  await openTab(page, "Approved Agents");
  await expect(page.getByText("No approved agents yet.")).toBeVisible();
  await openTab(page, "Revoked and denied");
  await expect(page.getByText("No revoked, denied or disabled agents.")).toBeVisible();
});

test("a waiting agent goes home, or logs out to the login screen", async ({ page, server }) => {
  await signedUp(page, server.url, "agent");
  await page.goto("/agent-pending");
  await expect(page.getByRole("main").getByRole("listitem")).not.toHaveCount(0);
  await expect(page.getByRole("link", { name: "support@wayfare.example" })).toHaveAttribute(
    "href",
    "mailto:support@wayfare.example",
  );
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/agent-pending");
  await page.getByRole("button", { name: "Go to Login" }).click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign Up" })).toBeVisible();
  await page.goto("/agent-pending");
  await expect(page).toHaveURL("/login?next=%2Fagent-pending");
});
