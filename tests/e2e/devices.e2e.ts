import { signedUp } from "./people.ts";
import { accountMenu, logIn } from "./steps.ts";
import { expect, test } from "./story.ts";

test("a student sees a device that was left logged in, and logs it out", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const ada = await signedUp(page, server.url, "student");
  const library = await anotherBrowser();
  await library.goto("/login");
  await logIn(library, ada);
  await expect(library.getByRole("heading", { level: 1, name: "Hello, Ada" })).toBeVisible();

  await page.goto("/student-dashboard");
  await page.getByRole("banner").getByRole("button", { name: ada.email, exact: true }).click();
  await accountMenu(page).getByRole("link", { name: "Login and security" }).click();
  await page.getByRole("link", { name: "Your devices" }).click();
  const devices = page.getByRole("list", { name: "Devices" }).getByRole("listitem");
  await expect(devices).toHaveCount(2);
  await expect(devices.filter({ hasText: "This device" })).toHaveCount(1);
  await devices.getByRole("button", { name: /^Log out / }).click();
  await expect(page.getByText("That device is logged out.")).toBeVisible();
  await expect(devices).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Log out all other devices" })).toHaveCount(0);
  // The open page on that device shows it automatically.
  await expect(library.getByRole("heading", { name: "Hello, Ada" })).toHaveCount(0);
  await library.goto("/student-dashboard");
  await expect(library).toHaveURL(/\/login/);
});

test("all other devices are logged out together", async ({ page, server, anotherBrowser }) => {
  const ada = await signedUp(page, server.url, "student");
  for (const other of [await anotherBrowser(), await anotherBrowser()]) {
    await other.goto("/login");
    await logIn(other, ada);
    await expect(other.getByRole("heading", { level: 1, name: "Hello, Ada" })).toBeVisible();
  }
  await page.goto("/devices");
  const devices = page.getByRole("list", { name: "Devices" }).getByRole("listitem");
  await expect(devices).toHaveCount(3);
  await page.getByRole("button", { name: "Log out all other devices" }).click();
  await expect(devices).toHaveCount(1);
  await expect(devices).toContainText("This device");
});
