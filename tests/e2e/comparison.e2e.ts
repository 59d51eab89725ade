import { signedUp } from "./people.ts";
import { english, twoProgrammes, withTest, year } from "./programme-steps.ts";
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
  // Browsers omit backgrounds on paper.
  for (const badge of await mayEnter.all()) await expect(badge).toHaveCSS("color", "rgb(0, 0, 0)");
});

test("a comparison is of the start in its address, and passes it on", async ({ page, server }) => {
  const month = `${year + 3}-09`;
  const fall = { month: 9, state: "open" as const, deadlines: [] };
  const soon = { ...fall, year };
  const applyBy = {
    kind: "applyBy",
    group: null,
    date: `${year + 3}-05-01`,
    time: null,
    hard: true,
  } as const;
  const later = { ...fall, year: year + 3, deadlines: [applyBy] };
  const requirementSets = [[english(6)]];
  const { slug, word } = await twoProgrammes(server, { requirementSets, intakes: [soon, later] });
  const { slug: other } = await twoProgrammes(server, { requirementSets, intakes: [soon] });
  await signedUp(page, server.url, "student");
  await withTest(page, server);
  await page.goto(`/programmes/${slug}`);
  const compare = page.getByRole("link", { name: /^Compare/ });
  await expect(compare).toHaveAttribute("href", `/compare?p=${slug}`);
  await page.getByLabel("Start", { exact: true }).selectOption({ label: `September ${year + 3} (Open)` });
  await expect(compare).toHaveAttribute("href", `/compare?p=${slug}&start=${month}`);

  await page.goto(`/programmes/${slug}?compare=${other}&start=${month}`);
  await compare.click();
  await expect(page).toHaveURL(`/compare?p=${other}&p=${slug}&start=${month}`);
  const cells = (name: RegExp) => page.getByRole("row", { name }).getByRole("cell");
  // The other programme has no such start, so its next one counts.
  await expect(cells(/^Start/)).toHaveText([`September ${year}`, `September ${year + 3}`]);
  await expect(cells(/^Apply by/).nth(1)).toContainText(`1 May ${year + 3}`);
  await expect(cells(/^One of these ways/).nth(0)).toContainText("You meet this.");
  await expect(cells(/^One of these ways/).nth(1)).toContainText("Missing: IELTS Academic taken on");
  const start = new RegExp(`[?&]start=${month}$`);
  await expect(page.getByRole("link", { name: "MSc Nursing" }).first()).toHaveAttribute("href", start);
  await expect(page.getByRole("link", { name: "Add another" })).toHaveAttribute(
    "href",
    new RegExp(`[?&]intake=${month}$`),
  );
  await page.getByRole("button", { name: "Remove MSc Nursing from the comparison" }).first().click();
  await expect(page).toHaveURL(`/compare?p=${slug}&start=${month}`);

  await page.goto(`/programmes?search=${word}&intake=${month}&compare=${slug}`);
  await page.getByRole("region", { name: "Comparison" }).getByRole("link", { name: "Compare" }).click();
  await expect(page).toHaveURL(`/compare?p=${slug}&start=${month}`);

  await page.goto(`/compare?p=${slug}`);
  await expect(cells(/^Next start/)).toHaveText(`September ${year}`);
  await expect(cells(/^One of these ways/)).toContainText("You meet this.");
});
