import { Secret, TOTP } from "otpauth";
import { emailedCode, newPerson } from "./people.ts";
import { type Server, startServer } from "./server.ts";
import {
  fillLogin,
  fillSignUp,
  loginButton,
  seeError,
  setPassword,
  setUpApp,
  signUpButton,
} from "./steps.ts";
import { admins, expect, printedLink, test } from "./story.ts";

test.use({ expectsRefusals: true });

const { email, password } = admins.ready;
let required: Server;
test.beforeAll(async () => {
  required = await startServer({ ADMIN_EMAILS: email, SECOND_FACTOR_REQUIRED: "admins,agents" });
});
test.afterAll(() => required.stop());

test("an admin sets up a required second factor and logs in with it", async ({ page }) => {
  await page.goto(await required.find(printedLink(email)));
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  const key = (await page.getByRole("code").innerText()).replaceAll(" ", "");
  const app = new TOTP({ secret: Secret.fromBase32(key) });
  const code = page.getByLabel("Authentication code");
  await code.fill(app.generate());
  await setPassword(page, password);
  await page.getByRole("link", { name: "Go to Login" }).click();

  await fillLogin(page, { email, password });
  await expect(code).toBeFocused();
  await code.fill("12345");
  await loginButton(page).click();
  const wrong = "This code isn't valid. Please check it and try again.";
  await seeError(page, "Login Error", wrong, "auth/invalid-verification-code");
  // The code that confirmed the app doesn't work again, but the next one is accepted already.
  await code.fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await loginButton(page).click();
  await expect(page).toHaveURL(`${required.url}/admin-dashboard`);
});

test("an agent who signs up sets up a required second factor first", async ({ page }) => {
  const kofi = newPerson("agent");
  await page.goto(`${required.url}/signup`);
  await fillSignUp(page, kofi);
  await signUpButton(page).click();
  await expect(page).toHaveURL(`${required.url}/security`);
  await page.goto(`${required.url}/my-bids`);
  await expect(page).toHaveURL(`${required.url}/security`);
  await expect(page.getByText("Your account needs two-step login.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Change password" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Set up app" })).toHaveCount(0);
  await page.getByRole("button", { name: "Email me a code" }).click();
  const code = page.getByLabel("Code from the email");
  await code.fill("1234 5678");
  await page.getByRole("button", { name: "Continue" }).click();
  const wrong = "This code isn't valid. Please check it and try again.";
  await seeError(page, "Not confirmed", wrong, "auth/invalid-verification-code");
  await code.fill(await emailedCode(required, kofi.email));
  await page.getByRole("button", { name: "Continue" }).click();
  await setUpApp(page);
  await expect(page).toHaveURL(`${required.url}/agent-pending`);
  await page.goto(`${required.url}/my-bids`);
  await expect(page.getByRole("heading", { level: 1, name: "My bids" })).toBeVisible();
});
