import type { Page } from "@playwright/test";
import { startServer } from "./server.ts";
import { expect, test } from "./story.ts";

/** Serves the page as the server does, changed by `damage`. */
async function breakPage(page: Page, path: string, damage: (html: string) => string): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const damaged = damage(html);
    if (damaged === html) throw new Error(`there is nothing to damage in ${path}`);
    await route.fulfill({ response, body: damaged });
  });
}

for (const path of ["/login", "/student-dashboard"]) {
  test(`${path} without the root container says so`, async ({ page, complaints }) => {
    await breakPage(page, path, (html) => html.replace('id="root"', 'id="elsewhere"'));
    await page.goto(path);
    const message = "Target container 'root' is not found in the DOM.";
    await expect(page.getByRole("alert")).toHaveText(message);
    await expect.poll(() => complaints).toEqual([expect.stringContaining(message)]);
    complaints.splice(0);
  });

  test(`${path} without the configuration says so`, async ({ page, complaints }) => {
    await breakPage(page, path, (html) => html.replace(/<script id="configuration".*?<\/script>/s, ""));
    await page.goto(path);
    const message = "Backend configuration is missing. Please check your configuration.";
    await expect(page.getByRole("alert")).toHaveText(message);
    await expect.poll(() => complaints).toEqual([expect.stringContaining(message)]);
    complaints.splice(0);
  });
}

test("a public server says at its start in one line where samples are left", async () => {
  const server = await startServer({ BASE_URL: "https://wayfare.example" });
  const warnings = server.lines.filter((line) => line.includes("Sample texts"));
  expect(warnings).toEqual([expect.stringContaining("footer.ts, stats.ts, team.ts, testimonials.ts")]);
  await server.stop();
});
