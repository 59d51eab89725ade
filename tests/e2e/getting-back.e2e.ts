import type { Page } from "@playwright/test";
import { withAuthenticator } from "#tests/support/authenticator.ts";
import { call } from "./call.ts";
import { approvedAgent, signedInAsAdmin, signedUp, verified } from "./people.ts";
import { logIn, setPassword } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

/** Tries to close a dialog with a secret in every way but its own button. */
async function staysOpen(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
}

test("recovery codes stay until the student confirms that they are saved", async ({ page, server }) => {
  const ada = await signedUp(page, server.url, "student");
  await verified(page, server, ada);
  await withAuthenticator({
    call: async (procedure, input) =>
      await call(page.request, server.url, procedure.replace(".", "/"), input),
  });
  await page.goto("/security");
  await page.getByRole("button", { name: "New codes" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make new codes" }).click();
  const codes = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  await staysOpen(page, "Your recovery codes");
  await codes.getByRole("button", { name: "I've saved them" }).click();
  await expect(codes).toBeHidden();
});

test("a new API key stays until the user confirms that it is saved, and ends with the old password", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  const kofi = await approvedAgent(page, office, server);
  await page.goto("/api-keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const create = page.getByRole("dialog", { name: "Create an API key" });
  await create.getByLabel("Name").fill("CRM");
  await create.getByLabel("Read Students").check();
  await create.getByRole("button", { name: "Create" }).click();
  const secret = page.getByRole("dialog", { name: "Your API key" });
  await expect(secret).toBeVisible();
  await staysOpen(page, "Your API key");
  await secret.getByRole("button", { name: "I've saved it" }).click();
  await expect(secret).toBeHidden();

  await page.goto("/security");
  await page.getByRole("button", { name: "Change password" }).click();
  const dialog = page.getByRole("dialog", { name: "Change password" });
  await expect(dialog.getByText("API key: CRM")).toBeVisible();
  await expect(dialog.getByLabel("End these too")).toBeChecked();
  const password = "another good phrase";
  await dialog.getByLabel("Current password", { exact: true }).fill(kofi.password);
  await dialog.getByLabel("New password", { exact: true }).fill(password);
  await dialog.getByLabel("Confirm new password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  await page.goto("/api-keys");
  await expect(page.getByText("No API keys yet")).toBeVisible();
});

test("an unverified account is told how to add its first passkey", async ({ page, server, mailedLink }) => {
  const ada = await signedUp(page, server.url, "student");
  await page.goto("/security");
  await expect(page.getByText("First, verify your email address")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add a passkey" })).toHaveCount(0);
  const ways = page.getByRole("list", { name: "Login and security" });
  await ways.getByRole("button", { name: "Send the link again" }).click();
  await expect(ways.getByText(`We've sent a link to ${ada.email}.`)).toBeVisible();
  await page.goto(await mailedLink(ada.email, /verify/));
  await expect(page.getByText("Your email address is verified.")).toBeVisible();
  await page.goto("/security");
  await expect(page.getByRole("button", { name: "Add a passkey" })).toBeVisible();
});

test("a student who was locked out by a thief's app gets back in through the mailbox", async ({
  page,
  server,
  anotherBrowser,
  mailedLink,
}) => {
  const thief = await anotherBrowser();
  const ada = await signedUp(thief, server.url, "student");
  await verified(thief, server, ada);
  await withAuthenticator({
    call: async (procedure, input) =>
      await call(thief.request, server.url, procedure.replace(".", "/"), input),
  });
  await page.goto("/reset-password");
  await page.getByLabel("Email").fill(ada.email);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await page.goto(await mailedLink(ada.email, /^Set a new password/));
  const password = "a quite different password";
  await setPassword(page, password);
  await expect(page.getByText("Removed from your account: the authenticator app.")).toBeVisible();
  await logIn(page, { email: ada.email, password });
  await expect(page.getByRole("heading", { level: 1, name: "Hello, Ada" })).toBeVisible();
});
