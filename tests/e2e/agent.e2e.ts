import { nameOf, newPerson, signedInAsAdmin, verified } from "./people.ts";
import { agentCard, openTab, signUp } from "./steps.ts";
import { adminOfStory, expect, test } from "./story.ts";

test("an agent signs up, waits, and reaches the dashboard when an admin approves", async ({
  page,
  server,
  anotherBrowser,
  mailedLink,
}) => {
  const kofi = newPerson("agent");
  await signUp(page, kofi);
  await expect(page).toHaveURL("/agent-pending");
  await expect(page.getByRole("heading", { name: "Account Pending Approval" })).toBeVisible();
  await expect(page.getByText("We can't approve you until then.")).toBeVisible();

  const admin = await anotherBrowser();
  await signedInAsAdmin(admin, server.url);
  await admin.goto("/admin-dashboard");
  const card = agentCard(admin, nameOf(kofi));
  await expect(card).toContainText(kofi.email);
  await expect(card).toContainText(kofi.agency);
  await expect(card).toContainText(kofi.phone);
  await expect(card).toContainText(kofi.country);
  await expect(card).toContainText(/Applied: \d/);

  // An unverified address may be another person's, so its account can't be approved.
  await expect(card).toContainText("Can be approved once the email address is verified.");
  await expect(card.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await card.getByRole("button", { name: "Resend verification link" }).click();
  await expect(admin.getByText(`We've sent a verification link to ${kofi.email}.`)).toBeVisible();
  await verified(page, server, kofi);
  await card.getByRole("button", { name: "Approve" }).click();
  await expect(admin.getByText("Agent approved successfully!")).toBeVisible();

  // The agent's page updates automatically.
  await expect(page).toHaveURL("/agent-dashboard");
  for (const name of ["Profile", "Manage Students", "Upload Product"])
    await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
  expect(await mailedLink(kofi.email, /approved/)).toContain("/agent-dashboard");

  await openTab(admin, "Approved Agents");
  await expect(card).toContainText(/Approved: \d/);
  await expect(card).toContainText(`By: ${adminOfStory().email}`);
});
