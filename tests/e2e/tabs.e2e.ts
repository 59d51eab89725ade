import { signedUp } from "./people.ts";
import { fillLogin, logOut } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

test("logging out on one tab shows on the other automatically", async ({ page, server }) => {
  const ada = await signedUp(page, server.url, "student");
  const other = await page.context().newPage();
  await page.goto("/student-dashboard");
  await other.goto("/about-us");
  const menu = other.getByRole("banner");
  await expect(menu.getByRole("button", { name: ada.email })).toBeVisible();

  await logOut(page, ada.email);
  await expect(page).toHaveURL("/");
  await expect(menu.getByRole("link", { name: "Login" })).toBeVisible();
  await expect(menu.getByRole("button", { name: ada.email })).toHaveCount(0);
  await expect(other).toHaveURL("/about-us");
});

test("a guarded page in the other tab asks to log in", async ({ page, server }) => {
  const ada = await signedUp(page, server.url, "student");
  const other = await page.context().newPage();
  await page.goto("/privacy");
  await other.goto("/student-profile");
  await expect(other.getByRole("heading", { name: "Student profile" })).toBeVisible();
  await logOut(page, ada.email);
  await expect(other).toHaveURL("/login?next=%2Fstudent-profile");
  await fillLogin(other, ada);
  await expect(other).toHaveURL("/student-profile");
});
