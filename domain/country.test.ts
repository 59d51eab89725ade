import { expect, test, vi } from "vitest";
import { studyCountries } from "./application.ts";
import { countries, countryName, countryTyped, isCountry } from "./country.ts";

test("codes that are assigned, each once and with a name of its own", () => {
  expect(new Set(countries).size).toBe(249);
  expect(new Set(countries.map(countryName)).size).toBe(249);
  for (const code of countries) expect(countryName(code)).not.toBe(code);
});

test.each(["", "XK", "UK", "EU", "ZZ", "AA", "gb", "Ghana", "GBR", "AD AE"])("%j is none", (text) => {
  expect(isCountry(text)).toBe(false);
  expect(countryName(text)).toBe(text);
});

test("a typed country's name becomes its code", () => {
  for (const code of countries) expect(countryTyped(countryName(code))).toBe(code);
  expect(countryTyped("nigeria")).toBe("NG");
  expect(countryTyped("Cote d'Ivoire")).toBe("CI");
  expect(countryTyped("Turkiye")).toBe("TR");
  for (const text of ["", "UK", "the Netherlands", "Ghana, Accra"]) expect(countryTyped(text)).toBe(text);
});

test("names the study countries as Intl does, and without it", async () => {
  const names = new Intl.DisplayNames("en", { type: "region" });
  // A module of its own has no names of Intl from the tests before.
  vi.resetModules();
  const fresh = await import("./country.ts");
  vi.stubGlobal("Intl", {});
  const ours = studyCountries.map(fresh.countryName);
  vi.unstubAllGlobals();
  expect(ours).toEqual(studyCountries.map((code) => names.of(code)));
});
