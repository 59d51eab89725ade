import { nameOf, signedInAsAdmin, signedUp } from "./people.ts";
import { agentCard, fillLogin, logIn, seeError, setPassword } from "./steps.ts";
import { admins, expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

test("an admin sets the first password through the printed link, which works once", async ({
  page,
  adminLink,
}) => {
  const { email, password } = admins.fresh;
  const link = await adminLink(email);
  await page.goto(link);
  await setPassword(page, "only 14 chars.");
  const tooShort = "Password must be at least 15 characters long.";
  await seeError(page, "Reset Password Error", tooShort, "auth/weak-password");
  await setPassword(page, password);
  await expect(page.getByText("Your password has been set. You can log in now.")).toBeVisible();

  await page.getByRole("link", { name: "Go to Login" }).click();
  await fillLogin(page, { email, password });
  await expect(page).toHaveURL("/admin-dashboard");
  await expect(page.getByRole("tab", { name: /Pending Approvals \(\d+\)/ })).toBeVisible();

  await page.goto(link);
  await expect(
    page.getByText("This link has expired or has already been used. Please request a new one."),
  ).toBeVisible();
});

test("nobody signs up with an admin's address", async ({ page }) => {
  await page.goto("/signup");
  await page.getByLabel("Role").selectOption("student");
  await page.getByLabel("First name").fill("Eve");
  await page.getByLabel("Last name").fill("Obi");
  await page.getByLabel("Email").fill(admins.ready.email.toUpperCase());
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByLabel("Confirm password", { exact: true }).fill("correct horse battery");
  await page.getByRole("main").getByRole("button", { name: "Sign Up", exact: true }).click();
  const message = "An account with this email already exists. Please try logging in instead.";
  await seeError(page, "Sign Up Error", message, "auth/email-already-in-use");
  await logIn(page, admins.ready);
  await expect(page).toHaveURL("/admin-dashboard");
});

test("agents who wait show only once all above them is there", async ({ page, server, anotherBrowser }) => {
  const kofi = await signedUp(await anotherBrowser(), server.url, "agent");
  await signedInAsAdmin(page, server.url);
  const answer = Promise.withResolvers<void>();
  await page.route("**/rpc/overview/figures", async (route) => {
    await answer.promise;
    await route.continue();
  });
  const agents = page.waitForResponse("**/rpc/agents/list");
  await page.goto("/admin-dashboard");
  await (await agents).finished();
  await expect(page.getByRole("tab", { name: /Pending Approvals \(\d+\)/ })).toBeVisible();
  await expect(agentCard(page, nameOf(kofi))).toHaveCount(0);
  answer.resolve();
  await expect(agentCard(page, nameOf(kofi))).toBeVisible();
});

test("agents who wait stay where they are when nothing comes below them", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const kofi = await signedUp(await anotherBrowser(), server.url, "agent");
  await signedInAsAdmin(page, server.url);
  const answer = Promise.withResolvers<void>();
  const none = { byState: [], byWaiting: [], byIntake: [], byDestination: [], byAgent: [] };
  await page.route("**/rpc/students/figures", async (route) => {
    await answer.promise;
    await route.fulfill({ json: { json: none } });
  });
  await page.goto("/admin-dashboard");
  const card = agentCard(page, nameOf(kofi));
  await expect(card).toBeVisible();
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  const place = await card.boundingBox();
  const figures = page.waitForResponse("**/rpc/students/figures");
  answer.resolve();
  await (await figures).finished();
  await expect(page.getByRole("region", { name: /^Loading/ })).toHaveCount(0);
  expect(await card.boundingBox()).toEqual(place);
});
