import type { Page } from "@playwright/test";
import { loginButton, openReset, openSidebar, signUpButton } from "../e2e/steps.ts";
import {
  answered,
  codeAsked,
  dialog,
  failAt,
  failing,
  goOffline,
  headed,
  hold,
  offeredKey,
  press,
  type Screen,
  statesOf,
  waiting,
} from "./screen.ts";

/** A long address, as some people have. */
const longEmail = "bartholomew.featherstonehaugh-cholmondeley@correspondence.students.example.com";

const pathOf = (link: string) => link.slice(new URL(link).origin.length);
const closeError = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "OK" }).click();

/** Fills in wrong credentials without sending them. */
async function fillInWrongLogin(page: Page): Promise<void> {
  await page.getByLabel("Email").fill("nobody@example.org");
  await page.getByLabel("Password", { exact: true }).fill("not this one");
}

const asksForCode = {
  before: (page: Page) =>
    page.route("**/rpc/account/signIn", (route) => route.fulfill({ status: 401, json: { json: codeAsked } })),
  async open(page: Page) {
    await fillInWrongLogin(page);
    await loginButton(page).click();
    await page.getByLabel("Authentication code").waitFor();
  },
  complains: "refusals",
} as const;

/** The screens around a login: login, sign-up, mailed links, and the screen of a waiting agent. */
export const accountScreens: readonly Screen[] = [
  ...statesOf("/login", "visitor", {
    full: headed("Welcome back"),
    "with a reason": {
      at: () => "/login?next=%2Fupload-product",
      shows: (page) => page.getByText("You must be logged in to upload a product."),
    },
    "error modal": { open: (page) => loginButton(page).click(), ...dialog("Login Error") },
    "error beside its field": {
      open: async (page) => {
        await loginButton(page).click();
        await closeError(page);
      },
      shows: (page) => page.getByText("Please enter your email address."),
    },
    "refused, with a code": {
      open: async (page) => {
        await fillInWrongLogin(page);
        await loginButton(page).click();
      },
      shows: (page) => page.getByText("Error Code: auth/invalid-credential"),
      complains: "refusals",
    },
    "two-step login": { ...asksForCode, shows: (page) => page.getByLabel("Authentication code") },
    "two-step login, recovery code": {
      ...asksForCode,
      async open(page) {
        await asksForCode.open(page);
        await page.getByRole("button", { name: "Use a recovery code instead" }).click();
      },
      shows: (page) => page.getByLabel("Recovery code"),
    },
    "offline error": {
      open: async (page) => {
        await fillInWrongLogin(page);
        await goOffline(page);
        await loginButton(page).click();
      },
      shows: (page) => page.getByText("Error Code: auth/network-request-failed"),
    },
    "reset dialog": { open: async (page) => void (await openReset(page)), ...dialog("Reset your password") },
  }),
  ...statesOf("/signup", "visitor", {
    full: headed("Create your account"),
    "as an agent": {
      open: async (page) => void (await page.getByLabel("Role").selectOption("agent")),
      shows: (page) => page.getByLabel("Agency name"),
    },
    "error beside its field": {
      open: async (page) => {
        await signUpButton(page).click();
        await closeError(page);
      },
      shows: (page) => page.getByText("Please enter your first name."),
    },
    "weak password": {
      open: async (page) => await page.getByLabel("Password", { exact: true }).fill("sunshine7"),
      shows: (page) => page.getByText("Easy to guess."),
    },
    "strong password": {
      open: async (page) => await page.getByLabel("Password", { exact: true }).fill("marble kettle flamingo"),
      shows: (page) => page.getByText("A very strong password."),
    },
    busy: {
      before: hold("/rpc/account/signUp"),
      open: async (page) => {
        await page.getByLabel("Role").selectOption("student");
        for (const name of ["First name", "Last name"]) await page.getByLabel(name).fill("Ada");
        await page.getByLabel("Email").fill("ada@example.org");
        for (const name of ["Password", "Confirm password"])
          await page.getByLabel(name, { exact: true }).fill("correct horse battery");
        await signUpButton(page).click();
      },
      shows: (page) => page.getByRole("button", { name: "Creating Account..." }),
    },
  }),
  ...statesOf("/reset-password", "visitor", {
    full: headed("Reset your password"),
    "error modal": { open: (page) => press(page, "Send Reset Link"), ...dialog("Reset Password Error") },
    "set a password": {
      at: ({ links }) => pathOf(links.setPassword),
      shows: (page) => page.getByLabel("New password", { exact: true }),
    },
    "set a password and an app": {
      at: () => "/reset-password?token=any",
      before: answered("/rpc/account/passwordLink", {
        purpose: "admin",
        minLength: 15,
        secondFactor: offeredKey,
      }),
      shows: (page) => page.getByRole("img", { name: "QR code for an authenticator app" }),
    },
    "set, with what remains": {
      at: () => "/reset-password?token=any",
      before: async (page) => {
        await answered("/rpc/account/passwordLink", {
          purpose: "reset",
          minLength: 6,
          secondFactor: null,
        })(page);
        await answered("/rpc/account/setPassword", {
          ended: {
            authenticator: false,
            passkeys: 1,
            apiKeys: 2,
            webhooks: 1,
            calendar: true,
            deletion: true,
          },
          remaining: { authenticator: true, passkeys: 2 },
        })(page);
      },
      open: async (page) => {
        for (const name of ["New password", "Confirm password"])
          await page.getByLabel(name, { exact: true }).fill("correct horse battery");
        await press(page, "Set password");
      },
      shows: (page) => page.getByText("Still on your account"),
    },
    "used link": {
      at: () => "/reset-password?token=used",
      shows: (page) => page.getByRole("link", { name: "Ask for a new link" }),
      complains: "refusals",
    },
    failing: { at: () => "/reset-password?token=any", ...failing("/rpc/account/passwordLink") },
    loading: { at: () => "/reset-password?token=any", ...waiting("/rpc/account/passwordLink", "Loading") },
  }),
  ...statesOf("/verify-email", "visitor", {
    "no link": { shows: (page) => page.getByRole("link", { name: "Log in to get a new link" }) },
    verified: {
      at: () => "/verify-email?token=any",
      before: answered("/rpc/account/verifyEmail", { email: "ada@example.com", isNew: false }),
      shows: (page) => page.getByText("Thank you. Your email address is verified."),
    },
    moved: {
      at: () => "/verify-email?token=any",
      before: answered("/rpc/account/verifyEmail", { email: longEmail, isNew: true }),
      shows: (page) => page.getByText(`Thank you. Your email address is now ${longEmail}.`),
    },
    "asks for the password": {
      at: ({ links }) => pathOf(links.verify),
      shows: (page) => page.getByRole("button", { name: "Verify my email address" }),
      complains: "refusals",
    },
    failing: { at: () => "/verify-email?token=any", ...failing("/rpc/account/verifyEmail") },
    loading: { at: () => "/verify-email?token=any", ...waiting("/rpc/account/verifyEmail", "Loading") },
  }),
  ...statesOf("/verify-email", "student", {
    "a link that changed nothing": {
      at: () => "/verify-email?token=used",
      shows: (page) => page.getByText("This link no longer works. Your email address is still"),
      complains: "refusals",
    },
  }),
  ...statesOf("/unsubscribe", "visitor", {
    "no link": { shows: (page) => page.getByText("This link doesn't work.") },
    full: {
      at: () => "/unsubscribe?token=any",
      shows: (page) => page.getByRole("button", { name: "Unsubscribe" }),
    },
    "wrong link": {
      at: () => "/unsubscribe?token=any",
      open: (page) => press(page, "Unsubscribe"),
      shows: (page) => page.getByText("This link doesn't work."),
      complains: "refusals",
    },
  }),
  ...statesOf("/agent-pending", "waitingAgent", {
    full: headed("Account Pending Approval"),
    loading: waiting("/rpc/account/me", "Loading"),
    failing: failing("/rpc/account/me"),
    sidebar: { open: async (page) => void (await openSidebar(page)), ...dialog("Menu") },
    "logout failed": {
      before: failAt("/rpc/account/signOut"),
      open: (page) => press(page, "Go to Login"),
      complains: "refusals",
      ...dialog("Logout Error"),
    },
  }),
];
