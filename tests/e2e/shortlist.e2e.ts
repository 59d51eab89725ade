import { signedInAsAdmin, signedUp } from "./people.ts";
import { seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

test("a student adds a course to the shortlist, visits it and removes it", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  await page.goto("/student-dashboard");
  await page.getByRole("main").getByRole("link", { name: "Shortlist" }).click();
  await expect(page.getByText("No items in the shortlist.", { exact: true })).toBeVisible();
  await page.getByLabel("University").fill("university of lee");
  await expect(page.locator("datalist option", { hasText: /^University of Leeds$/ })).toBeAttached();
  await page.getByLabel("University").fill("University of Leeds");
  await page.getByLabel("Course").fill("MSc Nursing");
  await page.getByLabel("URL").fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Add Item" }).click();
  const modal = page.getByRole("dialog", { name: "Shortlist Error" });
  await expect(
    modal.getByText("Please enter a web address that begins with http:// or https://."),
  ).toBeVisible();
  await modal.getByRole("button", { name: "OK" }).click();
  await page.getByLabel("URL").fill("https://courses.example.org/nursing");
  await page.getByRole("button", { name: "Add Item" }).click();
  await expect(page.getByText("Item added successfully!", { exact: true })).toBeVisible();
  await expect(page.getByLabel("University")).toHaveValue("");

  const row = page.getByRole("row", { name: "University of Leeds" });
  const visit = row.getByRole("link", { name: "Visit" });
  await expect(visit).toHaveAttribute("href", "https://courses.example.org/nursing");
  await expect(visit).toHaveAttribute("target", "_blank");
  await expect(visit).toHaveAttribute("rel", "noopener noreferrer");
  await row.getByRole("button", { name: "Remove" }).click();
  const question = page.getByRole("dialog", { name: "Remove item" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await row.getByRole("button", { name: "Remove" }).click();
  await expect(question).toContainText("Remove MSc Nursing at University of Leeds from the shortlist?");
  await question.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Item removed successfully!", { exact: true })).toBeVisible();
  await expect(page.getByText("No items in the shortlist.", { exact: true })).toBeVisible();
});

test("an agent adds a course for a student, who sees it immediately", async ({
  page,
  server,
  anotherBrowser,
}) => {
  await signedUp(page, server.url, "student");
  const answer = page.waitForResponse("**/rpc/shortlist/list");
  await page.goto("/shortlist");
  const { json } = await (await answer).json();
  await expect(page.getByText("No items in the shortlist.", { exact: true })).toBeVisible();

  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  await office.goto("/shortlist");
  await expect(office.getByRole("main").getByRole("link", { name: "Manage Students" })).toBeVisible();
  await office.goto(`/shortlist?student=${json.student.id}`);
  await expect(office.getByRole("heading", { name: "Shortlist of Ada Obi" })).toBeVisible();
  await office.getByLabel("University").fill("Trinity College Dublin");
  await office.getByLabel("Course").fill("LLM");
  await office.getByLabel("URL").fill("https://tcd.example.org");
  await office.getByRole("button", { name: "Add Item" }).click();
  await expect(office.getByRole("row", { name: "Trinity College Dublin" })).toBeVisible();
  await expect(page.getByRole("row", { name: "Trinity College Dublin" })).toBeVisible();
});

test.describe("the same course", () => {
  test.use({ expectsRefusals: true });

  test("is not added twice, and typed text stays", async ({ page, server }) => {
    await signedUp(page, server.url, "student");
    await page.goto("/shortlist");
    const add = async (university: string, course: string) => {
      await page.getByLabel("University").fill(university);
      await page.getByLabel("Course").fill(course);
      await page.getByLabel("URL").fill("https://courses.example.org");
      await page.getByRole("button", { name: "Add Item" }).click();
    };
    await add("University of Leeds", "MSc Nursing");
    await expect(page.getByLabel("University")).toHaveValue("");
    await add("university of leeds", "MSc  nursing");
    const code = "already-exists";
    await seeError(page, "Shortlist Error", "This course is already on the shortlist.", code);
    await expect(page.getByLabel("Course")).toBeFocused();
    await expect(page.getByLabel("University")).toHaveValue("university of leeds");
    await expect(page.getByRole("row", { name: "Leeds" })).toHaveCount(1);
  });
});
