import { seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

const strength = "Password strength";

test("a new password is rated while it is typed, by the names beside it too", async ({ page }) => {
  await page.goto("/signup");
  const main = page.getByRole("main");
  const password = main.getByLabel("Password", { exact: true });
  const meter = main.getByRole("meter", { name: strength });
  await expect(meter).toHaveCount(0);
  await main.getByLabel("First name").fill("Ngozichukwuka");

  await password.fill("123456");
  await expect(main.getByRole("status")).toHaveText(/^Very easy to guess\./);
  await expect(meter).toHaveJSProperty("value", 1);
  await password.fill("Ngozichukwuka7");
  await expect(main.getByRole("status")).toHaveText(/^Easy to guess\./);
  await password.fill("marble kettle flamingo");
  await expect(main.getByRole("status")).toHaveText("A very strong password.");
  await expect(meter).toHaveJSProperty("value", 5);
  await password.fill("");
  await expect(meter).toHaveCount(0);
});

test("the words that it takes are loaded once a password is typed, and not before", async ({ page }) => {
  const loaded: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("password-strength")) loaded.push(request.url());
  });
  await page.goto("/signup");
  const password = page.getByRole("main").getByLabel("Password", { exact: true });
  await page.getByRole("main").getByLabel("First name").fill("Ada");
  await expect(page.getByRole("main").getByRole("button", { name: "Sign Up" })).toBeEnabled();
  expect(loaded).toEqual([]);
  await password.focus();
  await expect.poll(() => loaded.length).toBeGreaterThan(0);
});

test.describe("their code does not come", () => {
  test.use({ expectsRefusals: true });

  test("and the form goes on without them", async ({ page }) => {
    await page.route("**/assets/password-strength*.js", (route) => route.fulfill({ status: 503 }));
    await page.goto("/signup");
    const main = page.getByRole("main");
    const refused = page.waitForResponse(/password-strength.*js$/);
    await main.getByLabel("Password", { exact: true }).fill("123456");
    await refused;
    await main.getByLabel("First name").fill("Ada");
    await main.getByRole("button", { name: "Sign Up" }).click();
    await seeError(page, "Sign Up Error", "Please enter your last name.", null);
    await expect(main.getByRole("meter", { name: strength })).toHaveCount(0);
  });
});
