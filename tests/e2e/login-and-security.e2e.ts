import { signedUp } from "./people.ts";
import { accountMenu, logIn, logOut, seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

test("a student changes the password with the current one", async ({ page, server }) => {
  const ada = await signedUp(page, server.url, "student");
  const password = "another good phrase";
  await page.goto("/student-dashboard");
  await page.getByRole("banner").getByRole("button", { name: ada.email, exact: true }).click();
  await accountMenu(page).getByRole("link", { name: "Login and security" }).click();
  await page.getByRole("button", { name: "Change password" }).click();
  const dialog = page.getByRole("dialog", { name: "Change password" });
  const current = dialog.getByLabel("Current password", { exact: true });
  await current.fill("not my password");
  await dialog.getByLabel("New password", { exact: true }).fill(password);
  await dialog.getByLabel("Confirm new password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Change password" }).click();
  const wrong = "Incorrect password. Please check your password and try again.";
  await seeError(page, "Password not changed", wrong, "auth/wrong-password");
  await expect(current).toBeFocused();
  await current.fill(ada.password);
  await dialog.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  await expect(dialog).toBeHidden();
  await logOut(page, ada.email);
  await logIn(page, { email: ada.email, password });
  await expect(page.getByRole("heading", { level: 1, name: "Hello, Ada" })).toBeVisible();
});
