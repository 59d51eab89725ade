import { newPerson, signedUp } from "./people.ts";
import {
  fillLogin,
  fillSignUp,
  isHydrated,
  loginButton,
  openReset,
  seeError,
  signUpButton,
} from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

const loginAddress = "/login?next=%2Fgrading-guide%3Ffrom%3Dx";

test("a visitor who signs up on the way to a page gets there, also through the mailed link", async ({
  page,
  anotherBrowser,
  mailedLink,
}) => {
  await page.goto(loginAddress);
  await expect(loginButton(page)).toBeEnabled();
  await page.getByRole("main").getByRole("link", { name: "Sign up here!" }).click();
  await expect(page).toHaveURL("/signup?next=%2Fgrading-guide%3Ffrom%3Dx");
  await page.getByRole("main").getByRole("link", { name: "Login here!" }).click();
  await expect(page).toHaveURL(loginAddress);
  await page.getByRole("banner").getByRole("link", { name: "Sign Up" }).click();
  const ada = newPerson("student");
  await fillSignUp(page, ada);
  await signUpButton(page).click();
  await expect(page).toHaveURL("/grading-guide?from=x");
  const phone = await anotherBrowser();
  await phone.goto(await mailedLink(ada.email, /verify/));
  await expect(phone).toHaveURL("/verify-email?next=%2Fgrading-guide%3Ffrom%3Dx");
  // The phone is not logged in: the link alone doesn't prove the account's owner.
  await phone.getByLabel("Password", { exact: true }).fill(ada.password);
  await phone.getByRole("button", { name: "Verify my email address" }).click();
  await expect(phone.getByText("Your email address is verified.")).toBeVisible();
  await phone.getByRole("link", { name: "Continue" }).click();
  await fillLogin(phone, ada);
  await expect(phone).toHaveURL("/grading-guide?from=x");
});

test("a detour through the password reset keeps the destination too", async ({ page }) => {
  await page.goto("/reset-password?next=%2Fgrading-guide");
  await isHydrated(page);
  await page.getByRole("main").getByRole("link", { name: "Login here" }).click();
  await expect(page).toHaveURL("/login?next=%2Fgrading-guide");
  // Addresses of other sites are ignored.
  await page.goto("/login?next=%2F%2Fevil.example");
  await expect(loginButton(page)).toBeEnabled();
  await expect(page.getByRole("main").getByRole("link", { name: "Sign up here!" })).toHaveAttribute(
    "href",
    "/signup",
  );
});

test("the address typed at login is filled in in the reset modal; an invalid one is refused", async ({
  page,
}) => {
  await page.goto("/login");
  await page.getByLabel("Email").fill("ada@example.org");
  const modal = await openReset(page);
  await expect(modal.getByLabel("Email")).toHaveValue("ada@example.org");
  await modal.getByLabel("Email").fill("bogus");
  await modal.getByRole("button", { name: "Send Reset Link" }).click();
  const invalid = "Please enter a valid email address.";
  await seeError(page, "Reset Password Error", invalid, "auth/invalid-email");
});

test("the verification link says that it worked, however often it is opened", async ({
  page,
  server,
  anotherBrowser,
  mailedLink,
}) => {
  const ada = await signedUp(page, server.url, "student");
  const link = await mailedLink(ada.email, /verify/);
  const phone = await anotherBrowser();
  for (const opened of [page, phone, page]) {
    await opened.goto(link);
    await expect(opened.getByText("Your email address is verified.")).toBeVisible();
  }
});
