import { hold } from "./hold.ts";
import { seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

const strength = "Password strength";

test("a new password is rated while it is typed, also against the names beside it", async ({ page }) => {
  await page.goto("/signup");
  const main = page.getByRole("main");
  const password = main.getByLabel("Password", { exact: true });
  const meter = main.getByRole("meter", { name: strength });
  await expect(meter).toHaveCount(0);
  await main.getByLabel("First name").fill("Ngozichukwuka");

  await password.fill("123456");
  await expect(main.getByText(/^Very easy to guess\./)).toBeVisible();
  await expect(meter).toHaveJSProperty("value", 1);
  await password.fill("Ngozichukwuka7");
  await expect(main.getByText(/^Easy to guess\./)).toBeVisible();
  await password.fill("marble kettle flamingo");
  await expect(main.getByText("A very strong password.")).toBeVisible();
  await expect(meter).toHaveJSProperty("value", 5);
  await password.fill("");
  await expect(meter).toHaveCount(0);
});

test("the code of the rating is loaded only once the password field is focused", async ({ page }) => {
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

test("the rating appears without moving the fields below it", async ({ page }) => {
  const letGo = await hold(page, /password-strength/);
  await page.goto("/signup");
  const main = page.getByRole("main");
  const button = main.getByRole("button", { name: "Sign Up" });
  await expect(button).toBeEnabled();
  const top = async () => (await button.boundingBox())?.y;
  await main.getByLabel("Password", { exact: true }).fill("marble kettle flamingo");
  await main.getByLabel("Confirm password", { exact: true }).fill("marble kettle flamingo");
  const before = await top();
  letGo();
  await expect(main.getByText("A very strong password.")).toBeVisible();
  expect(await top()).toBe(before);
});

test.describe("while the code of the rating can't be loaded", () => {
  test.use({ expectsRefusals: true });

  test("the form works without it", async ({ page }) => {
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
