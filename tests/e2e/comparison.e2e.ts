import { signedUp } from "./people.ts";
import { english, twoProgrammes, withTest } from "./programme-steps.ts";
import { expect, test } from "./story.ts";

/** The width of a sheet of A4 without its margins, in pixels. */
const paperWidth = 673;

test("a comparison of four fits on paper, without menus and buttons, with its differences in words", async ({
  page,
  server,
}) => {
  const slugs = [];
  for (const [at, title] of [
    "MSc Nursing",
    "MSc Advanced Nursing Practice",
    "MA Care",
    "BSc Care",
  ].entries()) {
    const requirementSets = [[english(at === 0 ? 6.5 : 6)]];
    slugs.push((await twoProgrammes(server, { title, months: 12 + at, requirementSets })).slug);
  }
  await signedUp(page, server.url, "student");
  await withTest(page, server);
  await page.goto(`/compare?${slugs.map((slug) => `p=${slug}`).join("&")}`);
  const mayEnter = page.getByRole("cell").getByText("May enter");
  await expect(mayEnter).toHaveCount(3);
  await page.setViewportSize({ width: paperWidth, height: 950 });
  await page.emulateMedia({ media: "print" });
  const programmes = page.getByRole("columnheader").filter({ has: page.getByRole("link") });
  await expect(programmes).toHaveCount(4);
  for (const programme of await programmes.all()) await expect(programme).toBeInViewport({ ratio: 1 });
  for (const role of ["navigation", "banner", "contentinfo", "button"] as const)
    await expect(page.getByRole(role)).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Add another" })).toHaveCount(0);
  await expect(page.getByRole("row", { name: /^Takes/ }).getByText("differs")).toBeVisible();
  await expect(page.getByRole("row", { name: /^Level/ })).not.toContainText("differs");
  // Browsers leave backgrounds out on paper.
  for (const badge of await mayEnter.all()) await expect(badge).toHaveCSS("color", "rgb(0, 0, 0)");
});
