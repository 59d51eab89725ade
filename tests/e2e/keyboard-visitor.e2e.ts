import type { Page } from "@playwright/test";
import { pick, press, tabTo, type } from "./keyboard.ts";
import { newPerson } from "./people.ts";
import { accountMenu, isHydrated, loginButton, signUpButton } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ contextOptions: { reducedMotion: "reduce" }, expectsRefusals: true });

const telephone = { width: 390, height: 844 };
/** The viewport that remains of 1280 by 1024 at 400% zoom. */
const zoomed = { width: 320, height: 256 };

const carousel = (page: Page) => page.getByRole("region", { name: "What Wayfare does" });

test("a visitor looks around the home page and writes to Wayfare", async ({ page }) => {
  await page.goto("/");
  await isHydrated(page);
  await expect(carousel(page).getByRole("button", { name: "Play the carousel" })).toBeVisible();
  await press(page, page.getByRole("link", { name: "Skip to content" }));
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Get started" })).toBeFocused();

  await press(page, carousel(page).getByRole("button", { name: "Play the carousel" }));
  await expect(carousel(page).getByRole("button", { name: "Pause the carousel" })).toBeFocused();
  await page.keyboard.press("Space");
  await expect(carousel(page).getByRole("button", { name: "Play the carousel" })).toBeFocused();
  await press(page, carousel(page).getByRole("button", { name: "Next feature" }));
  await expect(carousel(page).locator("[aria-current]")).toContainText("Expert Agents");
  await press(page, page.getByRole("button", { name: "Canada" }), "Space");
  await expect(page.getByRole("heading", { name: "Canada" })).toBeVisible();
  await press(page, page.getByText("How do I get started?"));
  await expect(page.getByText("Sign up as a student, fill in your profile")).toBeVisible();

  await press(page, page.getByRole("contentinfo").getByRole("link", { name: "Contact" }));
  await expect(page).toHaveURL("/contact");
  await expect(page.getByRole("main")).toBeFocused();
  await type(page, page.getByLabel("Name"), "Ada Obi");
  await type(page, page.getByLabel("Email"), "ada@example.org");
  await type(page, page.getByLabel("Message", { exact: true }), "Do you know Canada?");
  await press(page, page.getByRole("button", { name: "Send message" }));
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeFocused();
});

test("the sidebar on a phone keeps the focus inside and returns it", async ({ page }) => {
  await page.setViewportSize(telephone);
  await page.goto("/login");
  await isHydrated(page);
  await expect(loginButton(page)).toBeEnabled();
  const sidebar = page.getByRole("dialog", { name: "Menu" });
  await press(page, page.getByRole("button", { name: "Open menu" }));
  await expect(sidebar.getByRole("button", { name: "Close menu" })).toBeFocused();
  await tabTo(page, sidebar.getByRole("link", { name: "Sign Up" }));
  // Go around once: the focus never reaches anything behind the sidebar.
  await tabTo(page, sidebar.getByRole("button", { name: "Close menu" }));
  await page.keyboard.press("Escape");
  await expect(sidebar).toBeHidden();
  await expect(page.getByRole("button", { name: "Open menu" })).toBeFocused();

  await page.keyboard.press("Enter");
  await press(page, sidebar.getByRole("link", { name: "About Us" }));
  await expect(page).toHaveURL("/about-us");
  await expect(sidebar).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();
});

test("a student signs up, logs out, forgets the password and logs in with a new one", async ({
  page,
  mailedLink,
}) => {
  const ada = newPerson("student");
  await page.setViewportSize(zoomed);
  await page.goto("/signup");
  await isHydrated(page);
  await expect(signUpButton(page)).toBeEnabled();
  await pick(page, page.getByLabel("Role"), "Student");
  await type(page, page.getByLabel("First name"), ada.firstName);
  await press(page, signUpButton(page));
  const refusal = page.getByRole("dialog", { name: "Sign Up Error" });
  await expect(refusal.getByRole("button", { name: "OK" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("Last name")).toBeFocused();
  await page.keyboard.type(ada.lastName);
  await type(page, page.getByLabel("Email"), ada.email);
  await type(page, page.getByLabel("Password", { exact: true }), ada.password);
  await type(page, page.getByLabel("Confirm password", { exact: true }), ada.password);
  await press(page, signUpButton(page));
  await expect(page).toHaveURL("/student-dashboard");
  await expect(page.getByRole("heading", { name: "Hello, Ada" })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();

  await page.setViewportSize({ width: 1280, height: 800 });
  await tabTo(page, page.getByRole("button", { name: ada.email }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await tabTo(page, accountMenu(page).getByRole("link", { name: "Edit Profile" }));
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: ada.email })).toBeFocused();
  await page.keyboard.press("Enter");
  await press(page, accountMenu(page).getByRole("button", { name: "Logout" }));
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("main")).toBeFocused();

  await tabTo(page, page.getByRole("banner").getByRole("link", { name: "Login" }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.setViewportSize(zoomed);
  await press(page, page.getByRole("link", { name: "Reset here" }));
  const modal = page.getByRole("dialog", { name: "Reset your password" });
  await expect(modal.getByLabel("Email")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "Reset here" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type(ada.email);
  await press(page, modal.getByRole("button", { name: "Send Reset Link" }));
  await expect(modal.getByText("Password reset email sent!")).toBeVisible();

  await page.goto(await mailedLink(ada.email, /new password/));
  await isHydrated(page);
  await type(page, page.getByLabel("New password", { exact: true }), "another password");
  await type(page, page.getByLabel("Confirm password", { exact: true }), "another password");
  await page.keyboard.press("Enter");
  await press(page, page.getByRole("link", { name: "Go to Login" }));
  await expect(page).toHaveURL("/login");
  await type(page, page.getByLabel("Email"), ada.email);
  await type(page, page.getByLabel("Password", { exact: true }), "another password");
  await press(page, page.getByRole("button", { name: "Show password" }));
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "text");
  await press(page, loginButton(page));
  await expect(page).toHaveURL("/student-dashboard");
});
