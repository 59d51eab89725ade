import { signedUp } from "./people.ts";
import { fillLogin, logIn, openReset, seeError, setPassword } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

const notice = "Password reset email sent! Please check your inbox and spam folder.";
const newPassword = "a quite different password";

test("a forgotten password is reset through the mailed link", async ({
  page,
  server,
  anotherBrowser,
  mailedLink,
}) => {
  const elsewhere = await anotherBrowser();
  const ada = await signedUp(elsewhere, server.url, "student");
  await elsewhere.goto("/student-dashboard");
  await expect(elsewhere.getByRole("heading", { name: "Hello, Ada" })).toBeVisible();

  await page.goto("/login");
  const modal = await openReset(page);
  await modal.getByRole("button", { name: "Cancel" }).click();
  await expect(modal).toBeHidden();
  await openReset(page);
  await modal.getByLabel("Email").fill(ada.email);
  await modal.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(modal.getByText(notice, { exact: true })).toBeVisible();

  const link = await mailedLink(ada.email, /new password/);
  await page.goto(link);
  await setPassword(page, newPassword);
  await expect(page.getByText("Your password has been set. You can log in now.")).toBeVisible();
  await expect(page).toHaveURL("/reset-password");

  // The other session ends, and its page shows that automatically.
  await expect(elsewhere).toHaveURL("/login?next=%2Fstudent-dashboard");

  await page.getByRole("link", { name: "Go to Login" }).click();
  await fillLogin(page, ada);
  const wrong = "Invalid credentials. Please check your email and password.";
  await seeError(page, "Login Error", wrong, "auth/invalid-credential");
  await fillLogin(page, { ...ada, password: newPassword });
  await expect(page).toHaveURL("/student-dashboard");

  await elsewhere.goto(link);
  await expect(
    elsewhere.getByText("This link has expired or has already been used. Please request a new one."),
  ).toBeVisible();
});

test("the prerendered page requests nothing before it knows whether there is a link", async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  await page.goto("/reset-password?token=some-token");
  await expect(page.getByRole("heading", { name: "Your password" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("textbox")).toHaveCount(0);
  await context.close();
});

test("the reset screen answers the same for an address without an account", async ({ page }) => {
  await page.goto("/reset-password");
  await page.getByLabel("Email").fill("nobody@example.org");
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByText(notice, { exact: true })).toBeVisible();
  await page.getByRole("main").getByText("Login here").click();
  await expect(page).toHaveURL("/login");
});

test("a new password is checked as at sign-up", async ({ page, server, anotherBrowser, mailedLink }) => {
  const ada = await signedUp(await anotherBrowser(), server.url, "student");
  await page.goto("/reset-password");
  await page.getByLabel("Email").fill(ada.email);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await page.goto(await mailedLink(ada.email, /new password/));
  const title = "Reset Password Error";
  await setPassword(page, "");
  await seeError(page, title, "Please enter a password.", null);
  await setPassword(page, "short");
  await seeError(page, title, "Password must be at least 6 characters long.", "auth/weak-password");
  await setPassword(page, newPassword, `${newPassword}!`);
  await seeError(page, title, "Passwords do not match.", null);
  // A refused password leaves the link usable.
  await setPassword(page, newPassword);
  await expect(page.getByText("Your password has been set. You can log in now.")).toBeVisible();
  await logIn(page, { ...ada, password: newPassword });
  await expect(page).toHaveURL("/student-dashboard");
});
