import { newPerson } from "./people.ts";
import { fillSignUp, seeError, signUpButton } from "./steps.ts";
import { expect, test } from "./story.ts";

const title = "Sign Up Error";
const weak = "auth/weak-password";

test("sign-up names the first problem, in order, until all fields are valid", async ({ page }) => {
  const kofi = newPerson("agent");
  await page.goto("/signup");
  const field = (label: string) => page.getByRole("main").getByLabel(label, { exact: true });
  const refusedWith = async (message: string, code: string | null) => {
    await signUpButton(page).click();
    await seeError(page, title, message, code);
  };

  // All fields are wrong at first, and the first one's error is shown.
  await field("First name").fill("   ");
  await field("Confirm password").fill("another one");
  await refusedWith("Please enter your first name.", null);
  await expect(field("First name")).toBeFocused();
  await field("First name").fill(kofi.firstName);
  await refusedWith("Please enter your last name.", null);
  await field("Last name").fill(kofi.lastName);
  await refusedWith("Please enter your email address.", null);
  await field("Email").fill("not an address");
  await refusedWith("Please enter a password.", null);
  await field("Password").fill("12345");
  await refusedWith("Password must be at least 6 characters long.", weak);
  await field("Password").fill(kofi.password);
  await refusedWith("Passwords do not match.", null);
  await field("Confirm password").fill(kofi.password);
  await refusedWith("Please select your role (Student or Agent).", null);
  await field("Role").selectOption("Agent");
  await refusedWith("Please enter your agency name.", null);
  await field("Agency name").fill(kofi.agency);
  await refusedWith("Please enter your country.", null);
  await field("Country").fill(kofi.country);
  await refusedWith("Please enter a valid email address.", "auth/invalid-email");
  await field("Email").fill(kofi.email);

  // Typed text is kept meanwhile.
  for (const [label, text] of [
    ["First name", kofi.firstName],
    ["Last name", kofi.lastName],
    ["Agency name", kofi.agency],
    ["Country", kofi.country],
    ["Password", kofi.password],
    ["Confirm password", kofi.password],
  ] as const)
    await expect(field(label)).toHaveValue(text);
  await signUpButton(page).click();
  await expect(page).toHaveURL("/agent-pending");
});

test.describe("refused by the server", () => {
  test.use({ expectsRefusals: true });

  test("a common password is too weak, and typed text is kept", async ({ page }) => {
    const ada = { ...newPerson("student"), password: "password1" };
    await page.goto("/signup");
    await fillSignUp(page, ada);
    await signUpButton(page).click();
    const message = "Password is too weak. Please choose a stronger password with at least 6 characters.";
    await seeError(page, title, message, weak);
    await expect(page.getByLabel("Email")).toHaveValue(ada.email);
    await expect(page.getByLabel("Phone")).toHaveValue(ada.phone);
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue(ada.password);
    await expect(page.getByLabel("Role")).toHaveValue("student");
  });
});

test("only agents are asked for agency and country", async ({ page }) => {
  await page.goto("/signup");
  await page.getByLabel("Role").selectOption("Student");
  await expect(page.getByLabel("Agency name")).toHaveCount(0);
  await page.getByLabel("Role").selectOption("Agent");
  await expect(page.getByLabel("Agency name")).toBeVisible();
  await expect(page.getByLabel("Country")).toBeVisible();
  await expect(page.getByLabel("Role").getByRole("option")).toContainText(["Student", "Agent"]);
  await expect(page.getByLabel("Role").getByRole("option", { name: "Admin" })).toHaveCount(0);
});

test("the sign-up names the terms that it agrees to, and links to login", async ({ page }) => {
  await page.goto("/signup");
  await expect(
    page.getByText("By creating an account you agree to the Terms and Privacy.", { exact: true }),
  ).toBeVisible();
  for (const [name, path] of [
    ["Terms", "/terms"],
    ["Privacy", "/privacy"],
  ] as const)
    await expect(page.getByRole("main").getByRole("link", { name })).toHaveAttribute("href", path);
  await page.getByRole("main").getByText("Login here!").click();
  await expect(page).toHaveURL("/login");
  await page.getByRole("main").getByText("Sign up here!").click();
  await expect(page).toHaveURL("/signup");
});
