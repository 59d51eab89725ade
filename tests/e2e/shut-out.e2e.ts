import { call } from "./call.ts";
import { approvedAgent, idAt, nameOf, searchableStudent, signedInAsAdmin, waitingAgent } from "./people.ts";
import { agentCard, fillLogin, openTab, seeError } from "./steps.ts";
import { adminOfStory, expect, test } from "./story.ts";

test.describe("revoking", () => {
  test.use({ expectsRefusals: true });

  test("a revoked agent is logged out immediately, reads why at login, and can be approved again", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const kofi = await waitingAgent(page, server);
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
    await question.getByLabel("Reason (optional)").fill("Your licence has expired.");
    await question.getByRole("button", { name: "Revoke" }).click();
    await expect(admin.getByText("Agent access revoked successfully!")).toBeVisible();

    // The agent's page updates automatically.
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
    await admin
      .getByRole("dialog", { name: "Approve again" })
      .getByRole("button", { name: "Approve again" })
      .click();
    await expect(card).toBeHidden();
    await fillLogin(page, kofi);
    await expect(page).toHaveURL("/agent-dashboard");
  });
});

test.describe("disabling", () => {
  test.use({ expectsRefusals: true });

  test("a disabled agent is logged out immediately, which other admins see, and returns to the same status when enabled", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const kofi = await waitingAgent(page, server);
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
      `${nameOf(kofi)} will be logged out right away and can't log in until the account is enabled again.`,
    );
    await question.getByRole("button", { name: "Disable" }).click();
    await expect(admin.getByText(`${nameOf(kofi)} is disabled.`)).toBeVisible();

    // The pages of the agent and the other admin update automatically.
    await expect(page).toHaveURL(/\/login/);
    await expect(agentCard(other, nameOf(kofi))).toContainText(/Disabled: \d/);
    await expect(agentCard(other, nameOf(kofi))).toContainText(`By: ${adminOfStory().email}`);
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

test("an admin gives all of an agent's students to another agent, and disables without losing any", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const admin = await anotherBrowser();
  await signedInAsAdmin(admin, server.url);
  const kofi = await approvedAgent(page, admin, server);
  const yaw = await approvedAgent(await anotherBrowser(), admin, server);
  const student = await anotherBrowser();
  await searchableStudent(student, server.url);
  const [studentId, agentId] = [await idAt(student, server.url), await idAt(page, server.url)];
  await call(page.request, server.url, "students/assign", { studentId, agentId, expectedAgentId: null });

  await admin.goto("/admin-dashboard");
  await openTab(admin, "Approved Agents");
  const card = agentCard(admin, nameOf(kofi));
  await card.getByRole("button", { name: "Revoke" }).click();
  const revoking = admin.getByRole("dialog", { name: "Revoke access" });
  await expect(revoking).toContainText("1 student will be left without an agent.");
  await admin.keyboard.press("Escape");
  await card.getByRole("button", { name: "Disable" }).click();
  const disabling = admin.getByRole("dialog", { name: "Disable account" });
  await expect(disabling).toContainText(
    "1 student will stay assigned for 7 days, then be left without an agent.",
  );
  await expect(disabling.getByLabel("Leave them without an agent now")).not.toBeChecked();
  await disabling.getByRole("button", { name: "Disable" }).click();
  await expect(card).toBeHidden();

  await openTab(admin, "Revoked and denied");
  await expect(card).toContainText("Students: 1");
  await card.getByRole("button", { name: "Reassign students" }).click();
  const choice = admin.getByRole("dialog", { name: `Reassign students of ${nameOf(kofi)}` });
  await choice.getByLabel("Search agents").fill(yaw.lastName);
  await expect(choice.getByRole("button", { name: yaw.firstName })).toHaveCount(1);
  await choice.getByRole("button", { name: nameOf(yaw) }).click();
  const question = admin.getByRole("dialog", { name: "Reassign students", exact: true });
  await expect(question).toContainText(`1 student will move from ${nameOf(kofi)} to ${nameOf(yaw)}.`);
  await question.getByRole("button", { name: "Reassign" }).click();
  await expect(admin.getByText(`1 student reassigned to ${nameOf(yaw)}.`)).toBeVisible();
  await expect(choice).toBeHidden();
  await expect(card.getByRole("button", { name: "Reassign students" })).toHaveCount(0);
  await student.goto("/student-dashboard");
  await expect(student.getByText(nameOf(yaw))).toBeVisible();
});
