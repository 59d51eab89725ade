import { expect, test, vi } from "vitest";
import { studyCountries } from "./application.ts";
import { countries, countryCodeOf, countryName, isCountry } from "./country.ts";

test("lists each assigned code once, with a unique name", () => {
  expect(new Set(countries).size).toBe(249);
  expect(new Set(countries.map(countryName)).size).toBe(249);
  for (const code of countries) expect(countryName(code)).not.toBe(code);
});

test.each(["", "XK", "UK", "EU", "ZZ", "AA", "gb", "Ghana", "GBR", "AD AE"])(
  "%j is not a country",
  (text) => {
    expect(isCountry(text)).toBe(false);
    expect(countryName(text)).toBe(text);
  },
);

test("a typed country's name becomes its code", () => {
  for (const code of countries) expect(countryCodeOf(countryName(code))).toBe(code);
  expect(countryCodeOf("nigeria")).toBe("NG");
  expect(countryCodeOf("Cote d'Ivoire")).toBe("CI");
  expect(countryCodeOf("Turkiye")).toBe("TR");
  for (const text of ["", "UK", "the Netherlands", "Ghana, Accra"]) expect(countryCodeOf(text)).toBe(text);
});

test("names the study countries as Intl does, but without it", async () => {
  const names = new Intl.DisplayNames("en", { type: "region" });
  // A fresh module has not cached Intl's names in an earlier test.
  vi.resetModules();
  const fresh = await import("./country.ts");
  vi.stubGlobal("Intl", {});
  const studyNames = studyCountries.map(fresh.countryName);
  vi.unstubAllGlobals();
  expect(studyNames).toEqual(studyCountries.map((code) => names.of(code)));
});
