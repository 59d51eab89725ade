import fc from "fast-check";
import { expect, test } from "vitest";
import { type CountryChoice, chooseCountry, countryChoices, studyCountries } from "./application.ts";

const every: CountryChoice[] = ["All", ...studyCountries];
const clicks = fc.array(fc.constantFrom(...countryChoices), { maxLength: 30 });
const after = (clicked: readonly CountryChoice[]) => {
  let choices: CountryChoice[] = [];
  for (const choice of clicked) choices = chooseCountry(choices, choice);
  return choices;
};

test("choosing All selects every country, unchecking All clears them", () => {
  expect(chooseCountry([], "All")).toEqual(every);
  expect(chooseCountry(["IE"], "All")).toEqual(every);
  expect(chooseCountry(every, "All")).toEqual([]);
});

test("an individual country removes All", () => {
  expect(chooseCountry(every, "CA")).toEqual(["IE", "AE", "GB", "US"]);
  expect(after(studyCountries)).toEqual(studyCountries);
});

test("All is chosen only with every country, and a click is one change, whatever was clicked before", () => {
  fc.assert(
    fc.property(clicks, fc.constantFrom(...countryChoices), (before, choice) => {
      const choices = after(before);
      const next = chooseCountry(choices, choice);
      if (next.includes("All")) expect(next).toEqual(every);
      expect(new Set(next).size).toBe(next.length);
      if (choice === "All") return;
      expect(next).not.toContain("All");
      expect(next.includes(choice)).toBe(!choices.includes(choice));
      const others = (list: readonly CountryChoice[]) =>
        list.filter((each) => each !== choice && each !== "All");
      expect(others(next)).toEqual(others(choices));
    }),
  );
});
