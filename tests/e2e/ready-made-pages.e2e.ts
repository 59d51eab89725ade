import { readFileSync } from "node:fs";
import { signedUp } from "./people.ts";
import { openSidebar } from "./steps.ts";
import { expect, test } from "./story.ts";

/** What the build says of itself. */
function readyMade(): string[] {
  const { prerendered } = JSON.parse(readFileSync("build/routes.json", "utf8"));
  return prerendered;
}

// React tells of a page that it could not take over as it was in the console, which every story watches.
test("React takes over every ready-made page as it is", async ({ page }) => {
  const paths = readyMade();
  expect(paths).toContain("/login");
  for (const path of paths) {
    await page.goto(path);
    // A click that only React answers.
    await openSidebar(page);
  }
});

test("and for somebody who is signed in", async ({ page, server }) => {
  const ada = await signedUp(page, server.url, "student");
  for (const path of readyMade().filter((each) => each !== "/login" && each !== "/signup")) {
    await page.goto(path);
    await expect(page.getByRole("banner").getByRole("button", { name: ada.email }), path).toBeVisible();
  }
});

test("they can be read without JavaScript", async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  for (const path of readyMade()) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("heading").first(), path).toBeVisible();
  }
  await context.close();
});
