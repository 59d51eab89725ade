import { eq, inArray, sql } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { codeOf, withAuthenticator } from "#tests/support/authenticator.ts";
import { inDatabase } from "./auctioneer.ts";
import { call } from "./call.ts";
import { signedUp, verified } from "./people.ts";
import type { Server } from "./server.ts";
import { logIn, loginButton, logOut, seeError, setUpApp } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

/** Sets this account's logins to an hour ago. It must run before the server has read these sessions. */
async function longAgo(server: Server, email: string): Promise<void> {
  await inDatabase(server, async ({ services: { database } }) => {
    const provedAt = sql`now() - interval '1 hour'`;
    const userIds = database.db.select({ id: user.id }).from(user).where(eq(user.email, email));
    await database.db.update(session).set({ provedAt }).where(inArray(session.userId, userIds));
  });
}

test("a student turns on an authenticator app, and logs in with it and with a recovery code", async ({
  page,
  server,
}) => {
  const ada = await signedUp(page, server.url, "student");
  await verified(page, server, ada);
  await page.goto("/security");
  const { key, codes } = await setUpApp(page);
  await expect(page.getByText("10 left")).toBeVisible();

  await logOut(page, ada.email);
  await logIn(page, ada);
  const code = page.getByLabel("Authentication code");
  await expect(code).toBeFocused();
  await expect(page.getByText(/^Lost your phone and your codes\? Write to \S+@\S+\.$/)).toBeVisible();
  await code.fill(codeOf(key, 1));
  await loginButton(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Hello, Ada" })).toBeVisible();

  await logOut(page, ada.email);
  await logIn(page, ada);
  await page.getByRole("button", { name: "Use a recovery code instead" }).click();
  await expect(page.getByLabel("Recovery code")).toBeFocused();
  await page.getByLabel("Recovery code").fill(codes[3] ?? "");
  await loginButton(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Hello, Ada" })).toBeVisible();

  await page.goto("/security");
  await expect(page.getByText("9 left")).toBeVisible();
  await page.getByRole("button", { name: "Turn off app" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByRole("button", { name: "Set up app" })).toBeVisible();
});

test("a user with an old login confirms their identity, and the typed form is kept and sent", async ({
  page,
  server,
}) => {
  const ada = await signedUp(page, server.url, "student");
  await verified(page, server, ada);
  const { key, recoveryCodes } = await withAuthenticator({
    call: async (procedure, input) =>
      await call(page.request, server.url, procedure.replace(".", "/"), input),
  });
  await call(page.request, server.url, "account/signIn", { ...ada, code: recoveryCodes[0] });
  await longAgo(server, ada.email);

  const password = "another good phrase";
  await page.goto("/security");
  await page.getByRole("button", { name: "Change password" }).click();
  const change = page.getByRole("dialog", { name: "Change password" });
  await change.getByLabel("Current password", { exact: true }).fill(ada.password);
  await change.getByLabel("New password", { exact: true }).fill(password);
  await change.getByLabel("Confirm new password", { exact: true }).fill(password);
  const send = change.getByRole("button", { name: "Change password" });
  await send.click();
  const confirm = page.getByRole("dialog", { name: "Confirm it's you" });
  await confirm.getByRole("button", { name: "Not now" }).click();
  await expect(confirm).toBeHidden();
  await expect(change.getByLabel("New password", { exact: true })).toHaveValue(password);

  await send.click();
  await confirm.getByLabel("Password", { exact: true }).fill("not my password");
  await confirm.getByRole("button", { name: "Confirm" }).click();
  const wrong = "Incorrect password. Please check your password and try again.";
  await seeError(page, "Not confirmed", wrong, "auth/wrong-password");
  await confirm.getByLabel("Password", { exact: true }).fill(ada.password);
  await confirm.getByRole("button", { name: "Confirm" }).click();
  await confirm.getByLabel("Authentication code").fill(codeOf(key, 1));
  await confirm.getByRole("button", { name: "Confirm" }).click();
  await expect(confirm).toBeHidden();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  await expect(change).toBeHidden();
});
