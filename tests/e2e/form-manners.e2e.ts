import { loginButton, signUpButton } from "./steps.ts";
import { expect, test } from "./story.ts";

for (const [path, ...labels] of [
  ["/login", "Password"],
  ["/signup", "Password", "Confirm password"],
] as const)
  test(`passwords on ${path} can be shown and hidden`, async ({ page }) => {
    await page.goto(path);
    // Hydration is done once the form can be sent.
    await expect(page.getByRole("main").getByRole("button", { name: /^(Login|Sign Up)$/ })).toBeEnabled();
    for (const label of labels) {
      const field = page.getByLabel(label, { exact: true });
      await field.fill("a secret");
      await expect(field).toHaveAttribute("type", "password");
      await page.getByRole("button", { name: `Show ${label.toLowerCase()}`, exact: true }).click();
      await expect(field).toHaveAttribute("type", "text");
      await page.getByRole("button", { name: `Hide ${label.toLowerCase()}`, exact: true }).click();
      await expect(field).toHaveAttribute("type", "password");
      await expect(field).toHaveValue("a secret");
    }
  });

test("the error modal takes the focus, closes with Escape and gives the focus back", async ({ page }) => {
  await page.goto("/login");
  const modal = page.getByRole("dialog", { name: "Login Error" });
  await loginButton(page).click();
  await expect(modal.getByRole("button", { name: "OK" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(modal).toBeHidden();
  await expect(page.getByLabel("Email")).toBeFocused();

  // Enter closes the modal too, and in a field it sends the form.
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByLabel("Email").press("Enter");
  await expect(modal).toContainText("Please enter your password.");
  await page.keyboard.press("Enter");
  await expect(modal).toBeHidden();
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
});

test("the message stays beside its field until the field is edited", async ({ page }) => {
  await page.goto("/signup");
  await signUpButton(page).click();
  await page.getByRole("dialog", { name: "Sign Up Error" }).getByRole("button", { name: "OK" }).click();
  const field = page.getByLabel("First name");
  await expect(field).toHaveAccessibleDescription("Please enter your first name.");
  await field.fill("A");
  await expect(page.getByText("Please enter your first name.")).toHaveCount(0);
});

test("text typed on a page without JavaScript gets into no address", async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  await page.goto("/login");
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByLabel("Password", { exact: true }).fill("a secret");
  await expect(loginButton(page)).toBeDisabled();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/login");
  await context.close();
});
