import { nameOf, signedInAsAdmin, signedUp } from "./people.ts";
import { agentCard, fillLogin, logIn, openTab, seeError, signUp } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

test("a denied agent is told so after the correct password, until the denial is lifted", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const kofi = await signedUp(page, server.url, "agent");
  await page.goto("/agent-pending");
  const admin = await anotherBrowser();
  await signedInAsAdmin(admin, server.url);
  await admin.goto("/admin-dashboard");
  await agentCard(admin, nameOf(kofi)).getByRole("button", { name: "Deny" }).click();
  const question = admin.getByRole("dialog");
  await expect(question).toContainText(
    "Are you sure you want to deny this agent application? This action cannot be undone.",
  );
  await question.getByRole("button", { name: "Deny" }).click();
  await expect(admin.getByText("Agent application denied and removed.")).toBeVisible();

  // The agent's page updates automatically.
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, { ...kofi, password: "not the password" });
  const wrong = "Invalid credentials. Please check your email and password.";
  await seeError(page, "Login Error", wrong, "auth/invalid-credential");
  await fillLogin(page, kofi);
  const denied = "Your agent account has been denied. Please contact support for more information.";
  await seeError(page, "Login Error", denied, null);
  // The agent is still signed out.
  await page.goto("/agent-dashboard");
  await expect(page).toHaveURL("/login?next=%2Fagent-dashboard");

  await signUp(page, kofi);
  const message = "An account with this email already exists. Please try logging in instead.";
  await seeError(page, "Sign Up Error", message, "auth/email-already-in-use");

  // The name is deleted: only the address remains.
  await openTab(admin, "Revoked and denied");
  const card = agentCard(admin, kofi.email);
  await expect(card).toContainText(/Denied: \d/);
  await expect(admin.getByText(nameOf(kofi))).toHaveCount(0);
  await card.getByRole("button", { name: "Lift denial" }).click();
  await admin
    .getByRole("dialog", { name: "Lift denial" })
    .getByRole("button", { name: "Lift denial" })
    .click();
  await expect(card).toBeHidden();

  await logIn(page, kofi);
  await seeError(page, "Login Error", wrong, "auth/invalid-credential");
  await signUp(page, kofi);
  await expect(page).toHaveURL("/agent-pending");
});
