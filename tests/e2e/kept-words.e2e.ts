import { call } from "./call.ts";
import { hold } from "./hold.ts";
import { approvedAgent, idAt, newPerson, searchableStudent, signedInAsAdmin, signedUp } from "./people.ts";
import { fillLogin, fillSignUp, seeError, signUpButton } from "./steps.ts";
import { expect, test } from "./story.ts";

test("sign-up keeps typed text, but no password, while its terms are read", async ({ page }) => {
  const kofi = newPerson("agent");
  await page.goto("/signup");
  await fillSignUp(page, kofi);
  await page.getByRole("main").getByRole("link", { name: "Terms" }).click();
  await expect(page).toHaveURL("/terms");
  await page.goBack();
  await expect(page.getByLabel("Role")).toHaveValue("agent");
  for (const [label, text] of [
    ["First name", kofi.firstName],
    ["Last name", kofi.lastName],
    ["Email", kofi.email],
    ["Phone", kofi.phone],
    ["Agency name", kofi.agency],
    ["Country", kofi.country],
  ] as const)
    await expect(page.getByLabel(label)).toHaveValue(text);
  for (const label of ["Password", "Confirm password"]) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
    await page.getByLabel(label, { exact: true }).fill(kofi.password);
  }
  await signUpButton(page).click();
  await expect(page).toHaveURL("/agent-pending");
  // Nothing of it is written to the browser's storage.
  expect(
    await page.evaluate(() =>
      [localStorage, sessionStorage].flatMap((store) => Object.values(store)).join(" "),
    ),
  ).not.toContain(kofi.email);
});

test("a half-typed step survives Escape", async ({ page, server, anotherBrowser }) => {
  const ada = await searchableStudent(page, server.url);
  await call(page.request, server.url, "applications/submit", {
    program: "MBA",
    highestStudyLevel: "Postgraduate",
    country: ["CA"],
    startDate: "Spring Intake (January)",
  });
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  await office.goto(`/manage-students?search=${encodeURIComponent(ada.lastName)}`);
  const open = () => office.getByRole("button", { name: `View Applications of Ada ${ada.lastName}` }).click();
  const application = office.getByRole("article", { name: "MBA" });
  await open();
  await application.getByLabel("Next step").selectOption("In review");
  await application.getByLabel("Note for the student").fill("We are on it.");
  await office.keyboard.press("Escape");
  await expect(application).toHaveCount(0);
  await open();
  await expect(application.getByLabel("Next step")).toHaveValue("inReview");
  await expect(application.getByLabel("Note for the student")).toHaveValue("We are on it.");
  await application.getByRole("button", { name: "Save step" }).click();
  await expect(office.getByText("Step saved. The student will be notified.")).toBeVisible();
  await expect(application.getByText("In review", { exact: true })).toBeVisible();
  await expect(application.getByLabel("Note for the student")).toHaveValue("");
});

test.describe("a session that ends in the middle of a form", () => {
  test.use({ expectsRefusals: true });

  test("is renewed in place, and the form is sent again", async ({ page, server }) => {
    const ada = await signedUp(page, server.url, "student");
    await page.goto("/student-profile");
    await page.getByLabel("City").fill("Lagos");
    // The session ends silently, as when it expires: the page doesn't notice, because other calls are held back.
    const letGo = await hold(page, /\/rpc\/(?!profile\/save|account\/signIn)/);
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Save Profile" }).click();
    const modal = page.getByRole("dialog", { name: "Please log in again" });
    await expect(
      modal.getByText("Your session has ended. What you typed is kept.", { exact: true }),
    ).toBeVisible();
    await expect(modal.getByLabel("Email")).toHaveValue(ada.email);
    await modal.getByLabel("Password", { exact: true }).fill("not this one");
    await modal.getByRole("button", { name: "Login", exact: true }).click();
    const wrong = "Invalid credentials. Please check your email and password.";
    await seeError(page, "Login Error", wrong, "auth/invalid-credential");
    await modal.getByLabel("Password", { exact: true }).fill(ada.password);
    await modal.getByRole("button", { name: "Login", exact: true }).click();
    await expect(modal).toBeHidden();
    letGo();
    await expect(page.getByLabel("City")).toHaveValue("Lagos");
    await page.getByRole("button", { name: "Save Profile" }).click();
    await expect(page.getByText("Profile saved successfully!")).toBeVisible();
  });

  test("and is noticed by the page: the typed text is restored after the login", async ({ page, server }) => {
    const ada = await signedUp(page, server.url, "student");
    await page.goto("/shortlist");
    await page.getByLabel("University").fill("University of Leeds");
    const other = await page.context().newPage();
    await call(other.request, server.url, "account/signOut", {});
    await expect(page).toHaveURL("/login?next=%2Fshortlist");
    // The page may learn of the end before its stream gives the reason.
    await expect(page.getByText(/What you typed is kept\.$/)).toBeVisible();
    await fillLogin(page, ada);
    await expect(page).toHaveURL("/shortlist");
    await expect(page.getByLabel("University")).toHaveValue("University of Leeds");
  });

  test("and is noticed by the next list: it asks for a login, and continues there", async ({
    page,
    server,
  }) => {
    const ada = await signedUp(page, server.url, "student");
    await page.goto("/student-dashboard");
    await expect(page.getByRole("heading", { name: "Hello, Ada" })).toBeVisible();
    await page.context().clearCookies();
    // The dashboard refetches when it becomes visible again, if nothing else has done so before.
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
    await expect(page).toHaveURL("/login?next=%2Fstudent-dashboard");
    await fillLogin(page, ada);
    await expect(page.getByRole("heading", { name: "Hello, Ada" })).toBeVisible();
  });

  test("leaves nothing for another person, or for the same person after a logout", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const [ada, eve] = [
      await signedUp(page, server.url, "student"),
      await signedUp(await anotherBrowser(), server.url, "student"),
    ];
    await page.goto("/shortlist");
    await page.getByLabel("University").fill("University of Leeds");
    await call(page.request, server.url, "account/signOut", {});
    await expect(page).toHaveURL("/login?next=%2Fshortlist");
    await fillLogin(page, eve);
    await expect(page.getByLabel("University")).toHaveValue("");
    await page.getByLabel("University").fill("University of Hull");
    await page.getByRole("button", { name: eve.email }).click();
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL("/");
    await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
    await fillLogin(page, ada);
    await page.getByRole("main").getByRole("link", { name: "Shortlist" }).click();
    await expect(page.getByLabel("University")).toHaveValue("");
  });

  test("by an admin's decision gives the reason", async ({ page, server, anotherBrowser }) => {
    const office = await anotherBrowser();
    await signedInAsAdmin(office, server.url);
    await approvedAgent(page, office, server);
    // The page learns the reason from its stream, once that is open for all of its topics.
    const stream = page.waitForResponse(
      /\/live\?topics=(?=.*account)(?=.*dashboard)(?=.*notifications)(?=.*students)/,
    );
    await page.goto("/manage-students");
    await stream;
    const id = await idAt(page, server.url);
    await call(office.request, server.url, "agents/revoke", { id });
    await expect(page).toHaveURL("/login?next=%2Fmanage-students");
    await expect(
      page.getByText("Your agent access has been revoked. Please contact support for more information."),
    ).toBeVisible();
  });
});
