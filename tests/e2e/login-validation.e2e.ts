import { loginButton, openReset, seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

const emptyEmail = "Please enter your email address.";
const invalidEmail = "auth/invalid-email";

test("login asks for the email, then for the password", async ({ page }) => {
  await page.goto("/login");
  await loginButton(page).click();
  await seeError(page, "Login Error", emptyEmail, invalidEmail);
  await page.getByLabel("Email").fill("ada@example.org");
  await loginButton(page).click();
  await seeError(page, "Login Error", "Please enter your password.", null);
  await expect(page.getByLabel("Email")).toHaveValue("ada@example.org");
});

test("the reset modal asks for the email", async ({ page }) => {
  await page.goto("/login");
  await openReset(page);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await seeError(page, "Reset Password Error", emptyEmail, invalidEmail);
  await expect(page.getByRole("button", { name: "Send Reset Link" })).toBeVisible();
});

test("the reset screen asks for the email", async ({ page }) => {
  await page.goto("/reset-password");
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await seeError(page, "Reset Password Error", emptyEmail, invalidEmail);
});

test.describe("refused by the server", () => {
  test.use({ expectsRefusals: true });

  test("an unknown address and a wrong password get the same answer", async ({ page }) => {
    await page.goto("/login");
    await page.getByLabel("Email").fill("nobody@example.org");
    await page.getByLabel("Password", { exact: true }).fill("whatever it is");
    await loginButton(page).click();
    const message = "Invalid credentials. Please check your email and password.";
    await seeError(page, "Login Error", message, "auth/invalid-credential");
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue("whatever it is");
  });
});

test.describe("without a network", () => {
  test.use({ expectsRefusals: true });

  test("login says so", async ({ page, complaints }) => {
    await page.goto("/login");
    await page.route("**/rpc/account/signIn", (route) => route.abort());
    await page.getByLabel("Email").fill("ada@example.org");
    await page.getByLabel("Password", { exact: true }).fill("whatever it is");
    await loginButton(page).click();
    const message = "Network error. Please check your internet connection and try again.";
    await seeError(page, "Login Error", message, "auth/network-request-failed");
    expect(complaints.splice(0).every((text) => text.includes("net::ERR_FAILED"))).toBe(true);
  });
});

test.describe("while too many people log in", () => {
  test.use({ expectsRefusals: true });

  test("login says so, and keeps the typed text", async ({ page }) => {
    await page.goto("/login");
    const message = "Many people are logging in right now. Please try again in a few seconds.";
    const json = { defined: true, code: "unavailable", status: 503, message, data: { retryAfter: 5 } };
    await page.route("**/rpc/account/signIn", (route) => route.fulfill({ status: 503, json: { json } }));
    await page.getByLabel("Email").fill("ada@example.org");
    await page.getByLabel("Password", { exact: true }).fill("whatever it is");
    await loginButton(page).click();
    await seeError(page, "Login Error", message, "unavailable");
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue("whatever it is");
  });
});
