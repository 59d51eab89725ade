import { signedInAsAdmin } from "./people.ts";
import { isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";

const row = (sourceId: string, title: string) => ({
  sourceId,
  institution: { name: "Story University", country: "GB" },
  title,
  level: "Postgraduate",
  field: "health",
  mode: "fullTime",
  language: "en",
  url: "https://story.example/programme",
  checkedOn: "2025-01-09",
});
const file = (...programmes: object[]) => ({
  name: "programmes.json",
  mimeType: "application/json",
  buffer: Buffer.from(JSON.stringify({ source: "story.example", programmes })),
});

test("an admin enters a programme, sees its page as a student does, and finds it in the list", async ({
  page,
  server,
}) => {
  await signedInAsAdmin(page, server.url);
  await page.goto("/admin/institutions");
  await isHydrated(page);
  await page.getByRole("button", { name: "Add an institution" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Harbour University");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("row", { name: /Harbour University/ })).toContainText("Europe/London");

  await page.getByRole("button", { name: "Add an institution" }).click();
  await page.getByLabel("Name", { exact: true }).fill("HU");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Join HU into another" }).click();
  const joining = page.getByRole("dialog", { name: "Join into another institution" });
  await joining.getByLabel("The institution that stays").fill("Harbour");
  await expect(joining.locator('option[value="Harbour University, United Kingdom"]')).toBeAttached();
  await joining.getByLabel("The institution that stays").fill("Harbour University, United Kingdom");
  await joining.getByRole("button", { name: "Join them" }).click();
  await expect(page.getByRole("row", { name: /Harbour University/ })).toContainText("also HU");
  await expect(page.getByRole("button", { name: "Join HU into another" })).toHaveCount(0);

  await page.goto("/admin/programmes/new");
  await isHydrated(page);
  await page.getByRole("button", { name: "Add an institution" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Lighthouse College");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByLabel("Institution", { exact: true })).toHaveValue(
    "Lighthouse College, United Kingdom",
  );
  await page.getByLabel("Institution", { exact: true }).fill("Harbour");
  await expect(page.locator('option[value="Harbour University, United Kingdom"]')).toBeAttached();
  await page.getByLabel("Institution", { exact: true }).fill("Harbour University, United Kingdom");
  await page.getByLabel("Title").fill("MSc Marine Science");
  await page.getByLabel("Web address").fill("https://harbour.example/marine");
  await page.getByLabel("Source", { exact: true }).fill("harbour.example");
  await page.getByLabel("Intakes").fill("2090-09 open");
  await page.getByLabel("Fees").fill("tuition £14500 a year");
  await page.getByRole("button", { name: "Add requirements" }).click();
  await page.getByLabel("Add a requirement").selectOption("English");
  await page.getByLabel("At least in writing (empty for any)").fill("6");
  await expect(page.getByRole("region", { name: "What a student reads of way in 1" })).toContainText(
    "IELTS Academic 6.5, writing 6.0, at most 2 years old at the start",
  );
  await page.getByLabel("Add a requirement").selectOption("Number of subjects");
  await page.getByLabel("At least", { exact: true }).selectOption("A");
  await page.getByLabel("At least so many subjects").fill("2");
  await expect(page.getByRole("region", { name: "What a student reads of way in 1" })).toContainText(
    "At least 2 subjects: A or better (A-level)",
  );
  await page.getByRole("button", { name: "Save the programme" }).click();
  const wrong = page.getByRole("dialog", { name: "Not Saved" });
  await expect(wrong).toContainText("tuition £14500 a year");
  await wrong.getByRole("button").last().click();
  await page.getByLabel("Fees").fill("tuition 14500.00 GBP a year 2090/91 international");
  await page.getByRole("button", { name: "Save the programme" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("MSc Marine Science");
  await expect(page.getByText(/^Checked on .* by .*\.$/)).toBeVisible();
  await page.goto("/admin/programmes?search=marine");
  await expect(page.getByRole("row", { name: /MSc Marine Science/ })).toContainText("Harbour University");
});

test("an admin imports a file after its dry run, marks its programmes as checked, and undoes the import", async ({
  page,
  server,
}) => {
  await signedInAsAdmin(page, server.url);
  await page.goto("/admin/programmes");
  await isHydrated(page);
  const imported = page.getByRole("dialog", { name: "Import programmes" });
  await page.getByRole("button", { name: "Import a file" }).click();
  const refused = Array.from({ length: 20 }, () => ({ title: "Nothing else" }));
  await imported
    .getByLabel("File")
    .setInputFiles(file(row("1", "MSc Kelp"), row("2", "MSc Reefs"), ...refused));
  await imported.getByRole("button", { name: "Check the file" }).click();
  const preview = imported.getByRole("region", { name: "What the file would do" });
  await expect(preview).toContainText("New: 2");
  const rows = imported.getByRole("region", { name: "Row by row" });
  await expect(rows).toContainText("Row 3: Nothing else");
  await expect(page.getByRole("row", { name: /MSc Kelp/ })).toHaveCount(0);
  const toImport = imported.getByRole("button", { name: "Import", exact: true });
  await expect(toImport).toBeInViewport({ ratio: 1 });
  await toImport.click();
  await expect(imported.getByRole("region", { name: "What the file has done" })).toContainText("Refused: 20");
  await expect(imported.getByRole("region", { name: "Row by row" })).toContainText("Row 3: Nothing else");
  await imported.getByRole("button", { name: "Close" }).last().click();
  await expect(imported).toBeHidden();

  await page.getByLabel("Show").selectOption("Unchecked for 12 months");
  await page.getByLabel("Choose MSc Kelp").check();
  await page.getByRole("button", { name: "Checked today: 1" }).click();
  await expect(page.getByRole("row", { name: /MSc Kelp/ })).toHaveCount(0);

  await page.getByRole("button", { name: "Undo the import of story.example" }).click();
  await page
    .getByRole("dialog", { name: "Undo this import?" })
    .getByRole("button", { name: "Undo the import" })
    .click();
  await expect(page.getByRole("row", { name: /MSc Reefs/ })).toHaveCount(0);
  const dialog = page.getByRole("dialog", { name: "Left as they are" });
  await expect(dialog).toContainText("MSc KelpSomebody has changed it since.");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByLabel("Show").selectOption("Removed");
  await expect(page.getByRole("row", { name: /MSc Reefs/ })).toBeVisible();
  // It was checked after the import, so that the undo left it alone.
  await expect(page.getByRole("row", { name: /MSc Kelp/ })).toHaveCount(0);

  await page.getByRole("link", { name: "MSc Reefs" }).click();
  await expect(page.getByText("This programme was taken out of the catalogue.")).toBeVisible();
  await page.getByRole("button", { name: "Save the programme" }).click();
  await expect(page.getByText("This programme was taken out of the catalogue.")).toBeHidden();
  await expect(page.getByRole("button", { name: "Take it out of the catalogue" })).toBeVisible();
});

test("an admin merges two entries of one programme, and marks two institutions as different", async ({
  page,
  server,
}) => {
  await signedInAsAdmin(page, server.url);
  await page.goto("/admin/programmes");
  await isHydrated(page);
  await page.getByRole("button", { name: "Import a file" }).click();
  const imported = page.getByRole("dialog", { name: "Import programmes" });
  const at = (name: string) => ({ institution: { name, country: "GB" } });
  const entries = [
    {
      ...row("lagoon", "MSc Lagoons"),
      ...at("Lagoon College"),
      intakes: [{ year: 2090, month: 9, state: "open" }],
    },
    {
      ...row("lagoon-2", "MSc Lagoons"),
      ...at("Lagoon College"),
      intakes: [{ year: 2091, month: 1, state: "open" }],
    },
    { ...row("lagoon-3", "MSc Deltas"), ...at("The Lagoon Còllege") },
  ];
  await imported.getByLabel("File").setInputFiles(file(...entries));
  await imported.getByRole("button", { name: "Check the file" }).click();
  await imported.getByRole("button", { name: "Import", exact: true }).click();
  await imported.getByRole("button", { name: "Close" }).last().click();

  const lagoons = page.getByRole("link", { name: "MSc Lagoons" });
  await expect(lagoons).toHaveCount(2);
  await lagoons.first().click();
  const starts = page.getByLabel("Intakes");
  await expect(starts).toHaveValue(/^209/);
  await page.getByRole("button", { name: "Join with another programme" }).click();
  const joining = page.getByRole("dialog", { name: "Join with another programme" });
  await joining.getByLabel("The other programme").selectOption({ index: 1 });
  await expect(joining.getByRole("region", { name: "What moves" })).toContainText("Starts that move:");
  await joining.getByRole("button", { name: "Join them" }).click();
  await expect(joining).toBeHidden();
  await expect(starts).toHaveValue(/2090-09 open\n2091-01 open/);
  await page.getByRole("link", { name: "All programmes" }).click();
  await expect(lagoons).toHaveCount(1);

  await page.goto("/admin/institutions");
  await isHydrated(page);
  const pairs = page.getByRole("list", { name: "Pairs" }).getByRole("listitem").filter({ hasText: "Lagoon" });
  await pairs.getByRole("button", { name: "Not the same" }).click();
  await expect(pairs).toHaveCount(0);
  const different = page.getByRole("list", { name: "Different institutions" });
  await different.getByRole("button", { name: /^Take back: .*Lagoon/ }).click();
  await expect(pairs).toHaveCount(1);
});
