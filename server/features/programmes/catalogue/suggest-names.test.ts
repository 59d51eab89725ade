import { expect, test } from "vitest";
import { suggestInstitutionNames } from "./suggest-names.ts";

test("names that begin with the text come first, ignoring accents and case, within a country", async () => {
  const names = await suggestInstitutionNames("UNIVERSITY OF L", "GB");
  expect(names).toContain("University of Leeds");
  expect(names[0]).toMatch(/^University of L/);
  expect(await suggestInstitutionNames("universite de montreal")).toEqual([
    "Université de Montréal",
    "École Polytechnique de Montréal, Université de Montréal",
  ]);
  expect(await suggestInstitutionNames("university of leeds", "US")).toEqual([]);
  expect(await suggestInstitutionNames("  ")).toEqual([]);
});
