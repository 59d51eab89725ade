import { Secret, TOTP } from "otpauth";
import { type Server, startServer } from "./server.ts";
import { fillLogin, loginButton, seeError, setPassword } from "./steps.ts";
import { admins, expect, printedLink, test } from "./story.ts";

test.use({ expectsRefusals: true });

const { email, password } = admins.ready;
let required: Server;
test.beforeAll(async () => {
  required = await startServer({ ADMIN_EMAILS: email, ADMIN_SECOND_FACTOR: "required" });
});
test.afterAll(() => required.stop());

test("where a second factor is required, an admin sets one up and logs in with it", async ({ page }) => {
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
  await code.fill(app.generate());
  await loginButton(page).click();
  await expect(page).toHaveURL(`${required.url}/admin-dashboard`);
});
