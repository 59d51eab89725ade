import { someStudent } from "./people.ts";
import { expect, test } from "./story.ts";

test("mails are switched off kind by kind", async ({ page, server }) => {
  await someStudent(page, server.url);
  await page.goto("/student-dashboard");
  await page.getByRole("button", { name: "Notifications" }).click();
  await page.getByRole("link", { name: "All notifications" }).click();
  await expect(page).toHaveURL("/notifications");
  const rejected = page.getByRole("checkbox", { name: "A document was rejected" });
  await expect(rejected).toBeChecked();
  await rejected.click();
  await expect(rejected).toBeEnabled();
  await page.reload();
  await expect(rejected).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: "An application has moved" })).toBeChecked();
});
