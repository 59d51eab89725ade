import { signedUp } from "./people.ts";
import { openSidebar } from "./steps.ts";
import { expect, test } from "./story.ts";

test("the menu stays open when the code of a screen arrives late", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  await page.route("**/assets/student-dashboard*.js", async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto("/student-dashboard", { waitUntil: "commit" });
  const sidebar = await openSidebar(page);
  letGo();
  await expect(page.getByText("Hello, Ada")).toBeVisible();
  await expect(sidebar).toBeVisible();
});
