import type { Page } from "@playwright/test";
import { call } from "./call.ts";
import { approvedAgent, newPerson, signedInAsAdmin } from "./people.ts";
import { expect, test } from "./story.ts";

test.use({ viewport: { width: 390, height: 844 } });

/** A single word of the maximum length of a name. */
const long = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis";
const program = `MSc${"x".repeat(117)}`;

/** Returns by how many pixels the page and each open dialog are wider than their visible part. */
const overhang = (page: Page) =>
  page.evaluate<number[]>(
    `[document.documentElement, ...document.querySelectorAll("dialog[open]")]
      .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)`,
  );
async function expectFits(page: Page, where: string): Promise<void> {
  expect(
    (await overhang(page)).every((pixels) => pixels <= 0),
    where,
  ).toBe(true);
}

test("a name of 60 letters in one word breaks no screen of a student", async ({ page, server }) => {
  const ada = {
    ...newPerson("student"),
    firstName: long,
    lastName: long,
    email: `${"a".repeat(50)}@${"b".repeat(55)}.example`,
  };
  await call(page.request, server.url, "account/signUp", { ...ada, confirmPassword: ada.password });
  await call(page.request, server.url, "applications/submit", {
    program,
    highestStudyLevel: "Postgraduate",
    country: ["CA"],
    startDate: "Spring Intake (January)",
    additionalInfo: "y".repeat(300),
  });
  await call(page.request, server.url, "shortlist/add", {
    university: `U${"u".repeat(119)}`,
    course: program,
    url: `https://a.example/${"z".repeat(200)}`,
  });
  for (const path of [
    "/student-dashboard",
    "/student-profile",
    "/student-documents",
    "/application",
    "/shortlist",
    "/notifications",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("main").locator("[aria-busy=true]")).toHaveCount(0);
    await expectFits(page, path);
  }
  await page.goto("/student-dashboard");
  for (const name of ["View Applications", "Update Personal Details"]) {
    await page.getByRole("button", { name }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect(page.getByRole("dialog").locator("[aria-busy=true]")).toHaveCount(0);
    await expectFits(page, name);
    await page.keyboard.press("Escape");
  }
  await page.goto("/application");
  await page.getByRole("button", { name: "Withdraw" }).click();
  await expectFits(page, "Withdraw");
});

test("a name of 60 letters in one word breaks no screen of an agent", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  await approvedAgent(page, office, server);
  await page.goto("/agent-profile");
  await page.getByLabel("First name").fill(long);
  await page.getByLabel("Last name").fill(long);
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expect(page.getByText("Profile saved successfully!")).toBeVisible();
  for (const path of ["/agent-dashboard", "/agent-profile"]) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
    await expectFits(page, path);
  }
});
