import { approvedAgent, nameOf, signedInAsAdmin, signedUp, waitingAgent } from "./people.ts";
import { email, personalDetails, saveButton, saved } from "./profile-steps.ts";
import { agentCard, seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

test.describe("typed text is not lost", () => {
  test.use({ expectsRefusals: true });

  test("by a closed modal, a wrong field or a save that fails", async ({ page, server, complaints }) => {
    await signedUp(page, server.url, "student");
    await page.goto("/student-dashboard");
    const form = personalDetails(page);
    const open = () => page.getByRole("button", { name: "Update Personal Details" }).click();
    await open();
    await form.getByLabel("City").fill("Lagos");
    await form.getByLabel("Phone number").fill("call me");
    await page.keyboard.press("Escape");
    await expect(form).toBeHidden();

    await open();
    await expect(form.getByText("These changes aren't saved yet.")).toBeVisible();
    await saveButton(form).click();
    await seeError(page, "Profile Error", "Please enter a valid phone number.", null);
    await expect(form.getByLabel("Phone number")).toBeFocused();
    await form.getByLabel("Phone number").fill("+234 1 234 5678");

    await page.route("**/rpc/profile/save", (route) => route.abort());
    await saveButton(form).click();
    const failed = "Failed to save profile. Please try again.";
    await seeError(page, "Profile Error", failed, "auth/network-request-failed");
    await page.unroute("**/rpc/profile/save");
    complaints.splice(0);
    await form.getByRole("button", { name: "Close" }).click();
    await open();
    await expect(form.getByLabel("City")).toHaveValue("Lagos");
    await expect(form.getByLabel("Phone number")).toHaveValue("+234 1 234 5678");
    await saveButton(form).click();
    await expect(page.getByText(saved)).toBeVisible();
    await expect(page.getByRole("definition").filter({ hasText: "+234 1 234 5678" })).toBeVisible();

    await open();
    await form.getByLabel("City").fill("Abuja");
    await page.keyboard.press("Escape");
    await open();
    await form.getByRole("button", { name: "Discard changes" }).click();
    await expect(form.getByLabel("City")).toHaveValue("Lagos");
  });

  test("by another tab: the second tab shows both changes and saves them", async ({ page, server }) => {
    await signedUp(page, server.url, "student");
    const other = await page.context().newPage();
    const [here, there] = [page.getByRole("main"), other.getByRole("main")];
    await page.goto("/student-profile");
    await other.goto("/student-profile");
    await here.getByLabel("City").fill("Lagos");
    await there.getByLabel("State").fill("Lagos State");
    await saveButton(there).click();
    await expect(other.getByText(saved)).toBeVisible();

    await saveButton(here).click();
    await seeError(
      page,
      "Profile Error",
      "Failed to save profile. Please try again. Someone saved this profile while you were editing. We've kept what you typed.",
      "failed-precondition",
    );
    await expect(here.getByText("This profile was changed elsewhere in the meantime (State).")).toBeVisible();
    await expect(here.getByLabel("State")).toHaveValue("Lagos State");
    await expect(here.getByLabel("City")).toHaveValue("Lagos");
    await saveButton(here).click();
    await expect(page.getByText(saved)).toBeVisible();
    await other.reload();
    await expect(there.getByLabel("City")).toHaveValue("Lagos");
    await expect(there.getByLabel("State")).toHaveValue("Lagos State");
  });
});

test.describe("a new email address", () => {
  test.use({ expectsRefusals: true });

  test("requires the password and the mailed link; until then the old one stays", async ({
    page,
    server,
    mailedLink,
  }) => {
    const ada = await signedUp(page, server.url, "student");
    const next = `new-${ada.email}`;
    await page.goto("/student-profile");
    const form = page.getByRole("main");
    await email(form).fill(next);
    const password = form.getByLabel("Your password", { exact: true });
    await password.fill("not this one");
    await saveButton(form).click();
    const wrong = "Incorrect password. Please check your password and try again.";
    await seeError(page, "Profile Error", wrong, "auth/wrong-password");
    await expect(email(form)).toHaveValue(next);
    await password.fill(ada.password);
    await saveButton(form).click();
    await expect(form.getByText("Open it to confirm the change.")).toBeVisible();
    await page.reload();
    await expect(
      form.getByText(`We've sent a link to ${next}. Open it to confirm the change.`),
    ).toBeVisible();
    await expect(email(form)).toHaveValue(ada.email);
    await expect(page.getByRole("button", { name: ada.email, exact: true })).toBeVisible();

    await page.goto(await mailedLink(next, /confirm your new email/));
    await expect(page.getByText(`Your email address is now ${next}.`)).toBeVisible();
    await expect(page.getByRole("button", { name: next, exact: true })).toBeVisible();
    await page.goto("/student-profile");
    await expect(email(form)).toHaveValue(next);
    await expect(form.getByText("We've sent a link to")).toHaveCount(0);
  });
});

test.describe("a change of address", () => {
  test.use({ expectsRefusals: true });

  test("can be cancelled", async ({ page, server, mailedLink }) => {
    const ada = await signedUp(page, server.url, "student");
    const next = `new-${ada.email}`;
    await page.goto("/student-profile");
    const form = page.getByRole("main");
    await email(form).fill(next);
    await form.getByLabel("Your password", { exact: true }).fill(ada.password);
    await saveButton(form).click();
    const link = await mailedLink(next, /confirm your new email/);
    await form.getByRole("button", { name: "Cancel the change" }).click();
    await expect(page.getByText("Your email address won't change.")).toBeVisible();
    await expect(form.getByText("We've sent a link to")).toHaveCount(0);
    await page.reload();
    await expect(email(form)).toHaveValue(ada.email);
    await expect(form.getByText("We've sent a link to")).toHaveCount(0);
    const answer = page.waitForResponse("**/rpc/account/verifyEmail");
    await page.goto(link);
    expect((await answer).status()).toBe(410);
    await expect(page.getByText("This link has expired or has already been used.")).toBeVisible();
  });
});

test("an unlikely date of birth and an expired passport get a hint, and are saved", async ({
  page,
  server,
}) => {
  await signedUp(page, server.url, "student");
  await page.goto("/student-profile");
  const form = page.getByRole("main");
  await form.getByLabel("Date of birth").fill("2024-05-01");
  await expect(form.getByLabel("Date of birth")).toHaveAccessibleDescription(/Please check the year/);
  await form.getByLabel("Passport expiry").fill("2020-01-31");
  await expect(form.getByLabel("Passport expiry")).toHaveAccessibleDescription(/This passport has expired/);
  await form.getByLabel("Date of birth").fill("2004-05-01");
  await expect(form.getByLabel("Date of birth")).toHaveAccessibleDescription("");
  await saveButton(form).click();
  await expect(page.getByText(saved)).toBeVisible();
});

test("an agent's empty email is refused", async ({ page, server, anotherBrowser }) => {
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  const kofi = await approvedAgent(page, office, server);
  await page.goto("/agent-profile");
  const form = page.getByRole("main");
  await email(form).fill("");
  await saveButton(form).click();
  await seeError(page, "Profile Error", "Please enter your email address.", null);
  await page.reload();
  await expect(email(form)).toHaveValue(kofi.email);
});

test("an agent edits the profile from the dashboard's card", async ({ page, server, anotherBrowser }) => {
  const kofi = await waitingAgent(page, server);
  await page.goto("/agent-pending");
  const admin = await anotherBrowser();
  await signedInAsAdmin(admin, server.url);
  await admin.goto("/admin-dashboard");
  await agentCard(admin, nameOf(kofi)).getByRole("button", { name: "Approve" }).click();
  await expect(page).toHaveURL("/agent-dashboard");

  await page.getByRole("button", { name: "Edit profile" }).click();
  const form = personalDetails(page);
  await expect(form.getByLabel("Country")).toHaveValue("GH");
  await form.getByLabel("Passport expiry").fill("2031-05-17");
  await form.getByLabel("First name").fill("Kwame");
  await saveButton(form).click();
  await expect(page.getByText(saved)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Hello, Kwame" })).toBeVisible();
  await page.goto("/agent-profile");
  await expect(page.getByLabel("Passport expiry")).toHaveValue("2031-05-17");
});
