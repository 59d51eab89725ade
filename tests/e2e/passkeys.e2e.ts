import type { CDPSession, Page, Route } from "@playwright/test";
import { signedUp, verified } from "./people.ts";
import { loginButton, logOut } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

/** Adds Chromium's virtual authenticator, which acts like that of a phone or laptop and verifies every user. */
async function withAuthenticator(page: Page): Promise<{ session: CDPSession; authenticatorId: string }> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
}

const refusal = {
  defined: true,
  code: "auth/requires-recent-login",
  status: 401,
  message: "This operation requires recent authentication. Please log in again.",
};
const notRecent = (route: Route) => route.fulfill({ status: 401, json: { json: refusal } });

test("a student adds a passkey, logs in with it, and removes it", async ({ page, server }) => {
  const { session, authenticatorId } = await withAuthenticator(page);
  const ada = await signedUp(page, server.url, "student");
  await verified(page, server, ada);
  await page.goto("/security");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Your passkey is ready.")).toBeVisible();
  const passkeys = page.getByRole("list", { name: "Passkeys" }).getByRole("listitem");
  await expect(passkeys).toHaveCount(1);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const twice = page.getByRole("dialog", { name: "Passkey Error" });
  await expect(twice).toContainText("This device already has a passkey for your account.");
  await twice.getByRole("button", { name: "OK" }).click();
  await passkeys.getByRole("button", { name: /^Rename / }).click();
  const rename = page.getByRole("dialog", { name: "Rename passkey" });
  await rename.getByLabel("Name").fill("My laptop");
  await rename.getByRole("button", { name: "Save" }).click();
  await expect(passkeys).toContainText("My laptop");

  await logOut(page, ada.email);
  await page.goto("/login?next=%2Fmy-bids");
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My bids" })).toBeVisible();

  await page.goto("/security");
  await expect(passkeys).toContainText("last used");
  await passkeys.getByRole("button", { name: "Remove My laptop" }).click();
  // Simulates an old login; the following answers are the server's.
  await page.route("**/rpc/signInMethods/removePasskey", notRecent, { times: 1 });
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  const confirm = page.getByRole("dialog", { name: "Confirm it's you" });
  await confirm.getByRole("button", { name: "Use a passkey" }).click();
  await expect(confirm).toBeHidden();
  await expect(passkeys).toHaveCount(0);

  // The device still offers the removed passkey.
  await logOut(page, ada.email);
  await page.goto("/login");
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  const error = page.getByRole("dialog", { name: "Login Error" });
  await expect(error).toContainText("This passkey doesn't work here. Please log in with your password.");
  await error.getByRole("button", { name: "OK" }).click();
  // The browser doesn't say whether the user has cancelled or there is no passkey.
  await session.send("WebAuthn.clearCredentials", { authenticatorId });
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await expect(error).toContainText("No passkey was used. Please try again, or use your password.");
  await error.getByRole("button", { name: "OK" }).click();
  await expect(loginButton(page)).toBeEnabled();
});

test("in a browser without passkeys, a passkey button says so", async ({ page, server }) => {
  await page.addInitScript({
    content: `const fails = () => Promise.reject(new DOMException("Resident credentials …", "NotSupportedError"));
      navigator.credentials.get = fails;
      navigator.credentials.create = fails;`,
  });
  const plainly = "Passkeys can't be used in this browser or on this device.";
  await page.goto(`${server.url}/login`);
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  const error = (title: string) => page.getByRole("dialog", { name: title });
  await expect(error("Login Error")).toContainText(plainly);
  const ada = await signedUp(page, server.url, "student");
  await verified(page, server, ada);
  await page.goto("/security");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(error("Passkey Error")).toContainText(plainly);
});
