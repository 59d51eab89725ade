import type { Locator, Page } from "@playwright/test";
import { newPerson, signedUp } from "./people.ts";
import { fillSignUp, loginButton, openReset, signUpButton } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

/** Holds back the answers of a procedure until released; counts its calls. */
async function hold(page: Page, procedure: string) {
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  let calls = 0;
  await page.route(`**/rpc/${procedure}`, async (route) => {
    calls++;
    await promise;
    await route.continue();
  });
  return { letGo, calls: () => calls };
}

test("login is disabled while it is busy, and sends once", async ({ page }) => {
  const held = await hold(page, "account/signIn");
  await page.goto("/login");
  const email = page.getByLabel("Email");
  const password = page.getByLabel("Password", { exact: true });
  await email.fill("nobody@example.org");
  await password.fill("whatever it is");
  await loginButton(page).dblclick();
  await expect(page.getByRole("button", { name: "Logging in...", exact: true })).toBeDisabled();
  await expect(email).toBeDisabled();
  await expect(password).toBeDisabled();
  held.letGo();
  await page.getByRole("dialog", { name: "Login Error" }).getByRole("button", { name: "OK" }).click();
  await expect(loginButton(page)).toBeEnabled();
  await expect(email).toHaveValue("nobody@example.org");
  await expect(password).toHaveValue("whatever it is");
  expect(held.calls()).toBe(1);
});

test("sign-up is disabled while it is busy, and creates one account", async ({ page }) => {
  const held = await hold(page, "account/signUp");
  await page.goto("/signup");
  await fillSignUp(page, newPerson("agent"));
  await signUpButton(page).dblclick();
  await expect(page.getByRole("button", { name: "Creating Account...", exact: true })).toBeDisabled();
  for (const label of ["Role", "First name", "Last name", "Email", "Phone", "Agency name", "Country"])
    await expect(page.getByLabel(label)).toBeDisabled();
  for (const label of ["Password", "Confirm password"])
    await expect(page.getByLabel(label, { exact: true })).toBeDisabled();
  held.letGo();
  await expect(page).toHaveURL("/agent-pending");
  expect(held.calls()).toBe(1);
});

test("asking for a reset link is disabled while it is busy", async ({ page }) => {
  const held = await hold(page, "account/requestPasswordReset");
  await page.goto("/reset-password");
  await page.getByLabel("Email").fill("nobody@example.org");
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByRole("button", { name: "Sending...", exact: true })).toBeDisabled();
  await expect(page.getByLabel("Email")).toBeDisabled();
  held.letGo();
  await expect(page.getByRole("button", { name: "Send Reset Link" })).toBeEnabled();
});

test("the reset form on the login screen is disabled while it is busy", async ({ page }) => {
  const held = await hold(page, "account/requestPasswordReset");
  await page.goto("/login");
  const modal = await openReset(page);
  await modal.getByLabel("Email").fill("nobody@example.org");
  await modal.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(modal.getByRole("button", { name: "Sending...", exact: true })).toBeDisabled();
  await expect(modal.getByLabel("Email")).toBeDisabled();
  held.letGo();
  await expect(modal.getByRole("button", { name: "Send Reset Link" })).toBeEnabled();
  await modal.getByRole("button", { name: "Done" }).click();
  await expect(modal).toBeHidden();
});

/** Clicks twice so that both clicks reach the browser before it has painted the effect of the first. */
async function clickTwice(page: Page, button: Locator): Promise<void> {
  const box = await button.boundingBox();
  const at = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  const input = await page.context().newCDPSession(page);
  const press = (type: "mousePressed" | "mouseReleased", clickCount: number) =>
    input.send("Input.dispatchMouseEvent", { ...at, type, clickCount, button: "left" });
  await Promise.all([1, 2].flatMap((count) => [press("mousePressed", count), press("mouseReleased", count)]));
}

test("a command whose button is clicked twice within a frame is sent once", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  const held = await hold(page, "account/resendVerification");
  await page.goto("/student-dashboard");
  await expect(page.getByRole("heading", { name: "Hello, Ada" })).toBeVisible();
  await clickTwice(page, page.getByRole("button", { name: "Send the link again" }));
  await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
  held.letGo();
  await expect(page.getByText("Sent. Please check your inbox and spam folder.")).toBeVisible();
  expect(held.calls()).toBe(1);
});
