import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSearchTemplate, programSearchUrl, searchLocations } from "./program-search.ts";

const template = "https://search.example/programs?q={query}&in={location}";

test("puts the query and the location into the address", () => {
  expect(programSearchUrl(template, " Law & order ", "United Kingdom")).toBe(
    "https://search.example/programs?q=Law%20%26%20order&in=United%20Kingdom",
  );
  expect(programSearchUrl(template, "Physics", "")).toBe("https://search.example/programs?q=Physics&in=");
});

test("any text becomes the query of the configured site and nothing else", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("", ...searchLocations), (title, place) => {
      const address = new URL(programSearchUrl(template, title, place));
      expect(address.origin).toBe("https://search.example");
      expect(address.searchParams.get("q")).toBe(title.trim());
      expect(address.searchParams.get("in")).toBe(place);
    }),
  );
});

describe("a template", () => {
  test.each([template, "http://localhost:8080/{query}", "https://a.example/{location}/{query}"])(
    "%s is accepted",
    (text) => expect(isSearchTemplate(text)).toBe(true),
  );
  test.each([
    "",
    "https://search.example/",
    "search.example?q={query}",
    "javascript:alert('{query}')",
    "https://{query}.example/",
    "https://{query}@search.example/",
    "https://{location}.example/?q={query}",
  ])("%s is refused", (text) => expect(isSearchTemplate(text)).toBe(false));
});
