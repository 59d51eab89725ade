import { fillLogin, logIn, seeError, setPassword } from "./steps.ts";
import { admins, expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

test("an admin sets the first password through the printed link, which works once", async ({
  page,
  adminLink,
}) => {
  const { email, password } = admins.fresh;
  const link = await adminLink(email);
  await page.goto(link);
  await setPassword(page, "only 14 chars.");
  const tooShort = "Password must be at least 15 characters long.";
  await seeError(page, "Reset Password Error", tooShort, "auth/weak-password");
  await setPassword(page, password);
  await expect(page.getByText("Your password has been set. You can log in now.")).toBeVisible();

  await page.getByRole("link", { name: "Go to Login" }).click();
  await fillLogin(page, { email, password });
  await expect(page).toHaveURL("/admin-dashboard");
  await expect(page.getByRole("tab", { name: /Pending Approvals \(\d+\)/ })).toBeVisible();

  await page.goto(link);
  await expect(
    page.getByText("This link has expired or has already been used. Please request a new one."),
  ).toBeVisible();
});

test("nobody signs up with an admin's address", async ({ page }) => {
  await page.goto("/signup");
  await page.getByLabel("Role").selectOption("student");
  await page.getByLabel("First name").fill("Eve");
  await page.getByLabel("Last name").fill("Obi");
  await page.getByLabel("Email").fill(admins.ready.email.toUpperCase());
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByLabel("Confirm password", { exact: true }).fill("correct horse battery");
  await page.getByRole("main").getByRole("button", { name: "Sign Up", exact: true }).click();
  const message = "An account with this email already exists. Please try logging in instead.";
  await seeError(page, "Sign Up Error", message, "auth/email-already-in-use");
  await logIn(page, admins.ready);
  await expect(page).toHaveURL("/admin-dashboard");
});
