import { expect, type Locator, type Page } from "@playwright/test";
import { codeOf } from "#tests/support/authenticator.ts";
import { emailedCode, type Person } from "./people.ts";
import type { Server } from "./server.ts";

/** Fills in the sign-up form from top to bottom; empty texts stay empty. */
export async function fillSignUp(page: Page, person: Person): Promise<void> {
  await page.getByLabel("Role").selectOption(person.role);
  await page.getByLabel("First name").fill(person.firstName);
  await page.getByLabel("Last name").fill(person.lastName);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Phone").fill(person.phone);
  if (person.role === "agent") {
    await page.getByLabel("Agency name").fill(person.agency);
    await page.getByLabel("Country").fill(person.country);
  }
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByLabel("Confirm password", { exact: true }).fill(person.password);
}

export const signUpButton = (page: Page): Locator =>
  page.getByRole("main").getByRole("button", { name: "Sign Up", exact: true });
export const loginButton = (page: Page): Locator =>
  page.getByRole("main").getByRole("button", { name: "Login", exact: true });

export async function signUp(page: Page, person: Person): Promise<void> {
  await page.goto("/signup");
  await fillSignUp(page, person);
  await signUpButton(page).click();
}

type Credentials = { email: string; password: string };

export async function fillLogin(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await loginButton(page).click();
}

export async function logIn(page: Page, credentials: Credentials): Promise<void> {
  await page.goto("/login");
  await fillLogin(page, credentials);
}

/** Waits for hydration: before it, links do full page loads and buttons do nothing. */
export const isHydrated = (page: Page): Promise<void> =>
  expect(page.getByRole("status", { name: "Connection" })).toBeAttached();

/** Waits until nothing on the page is loading any more, because late parts move those below them. */
export const hasLoaded = (page: Page): Promise<void> =>
  expect(page.locator("main [aria-busy=true]")).toHaveCount(0);

/**
 * Waits for the styles of a screen that was opened by a link: the router adds them with the screen, so they may apply
 * later and move a button before it is pressed.
 */
export async function hasStyles(page: Page): Promise<void> {
  const waiting =
    "[...document.querySelectorAll('link[rel=stylesheet]:not([disabled])')].filter(({ sheet }) => !sheet)";
  await expect.poll(() => page.evaluate(`${waiting}.length`)).toBe(0);
}

export async function openSidebar(page: Page): Promise<Locator> {
  const sidebar = page.getByRole("dialog", { name: "Menu" });
  await isHydrated(page);
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(sidebar).toBeVisible();
  return sidebar;
}

/** Opens the password reset modal of the login screen, once hydration has made it a modal. */
export async function openReset(page: Page): Promise<Locator> {
  await expect(loginButton(page)).toBeEnabled();
  await page.getByRole("main").getByText("Reset here").click();
  return page.getByRole("dialog");
}

/** Locates the dropdown under the viewer's email. */
export const accountMenu = (page: Page): Locator =>
  page.getByRole("banner").getByRole("list", { name: "Account" });

export async function logOut(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: email }).click();
  await accountMenu(page).getByRole("button", { name: "Logout" }).click();
}

/** Expects the error modal with this message, and with or without this code; then closes it with OK. */
export async function seeError(
  page: Page,
  title: string,
  message: string,
  code: string | null,
): Promise<void> {
  const modal = page.getByRole("dialog", { name: title });
  await expect(modal.getByText(message, { exact: true })).toBeVisible();
  if (code === null) await expect(modal.getByText("Error Code")).toHaveCount(0);
  else await expect(modal.getByText(`Error Code: ${code}`, { exact: true })).toBeVisible();
  await modal.getByRole("button", { name: "OK" }).click();
  await expect(modal).toBeHidden();
}

/** Locates the announcement of a list's results for screen readers. */
export const results = (within: Page | Locator): Locator => within.getByRole("status", { name: "Results" });

/** Locates one agent's card on the admin dashboard. */
export const agentCard = (page: Page, name: string): Locator => page.getByRole("article", { name });

/** Opens a tab of the admin dashboard: Pending Approvals, Approved Agents, Revoked and denied. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name }).click();
}

/** Sets a new password on the screen of a mailed or printed link. */
export async function setPassword(page: Page, password: string, confirmation = password): Promise<void> {
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password", { exact: true }).fill(confirmation);
  await page.getByRole("button", { name: "Set password" }).click();
}

/** Sets an authenticator app up, starting at its button; the next valid code is that of the following step. */
export async function setUpApp(page: Page): Promise<{ key: string; codes: string[] }> {
  await page.getByRole("button", { name: "Set up app" }).click();
  const setUp = page.getByRole("dialog", { name: "Set up an authenticator app" });
  await expect(setUp.getByRole("img", { name: "QR code" })).toBeVisible();
  const key = (await setUp.getByRole("code").innerText()).replaceAll(" ", "");
  await setUp.getByLabel("Authentication code").fill(codeOf(key));
  await setUp.getByRole("button", { name: "Turn on" }).click();
  const saved = page.getByRole("dialog", { name: "Your recovery codes" });
  const list = saved.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(list).toHaveCount(10);
  const codes = await list.allInnerTexts();
  const download = page.waitForEvent("download");
  await saved.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("wayfare-recovery-codes.txt");
  await saved.getByRole("button", { name: "I've saved them" }).click();
  await expect(saved).toBeHidden();
  return { key, codes };
}

/** Confirms the list that is sent to a university, with the code that is emailed to the student. */
export async function confirmList(at: Page | Locator, server: Server, { email }: Person): Promise<void> {
  await at.getByRole("button", { name: "Confirm this list" }).click();
  await at.getByRole("button", { name: "Email me a code" }).click();
  await at.getByLabel("Code from the email").fill(await emailedCode(server, email));
  await at.getByRole("button", { name: "Confirm this list" }).click();
  await expect(at.getByText(/^You've confirmed this list/)).toBeVisible();
}

/** Opens the bell; returns the region of the newest notifications. */
export async function openBell(page: Page) {
  await page.getByRole("banner").getByRole("button", { name: "Notifications" }).click();
  return page.getByRole("region", { name: "Newest notifications" });
}
