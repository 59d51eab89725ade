import { type StudyCountry, studyCountries } from "#domain/application.ts";

/** What the application form offers under Countries. */
export const countryChoices = ["All", ...studyCountries] as const;
export type CountryChoice = "All" | StudyCountry;

/**
 * What is chosen after one box was clicked: choosing All selects every country, unchecking All clears them,
 * and an individual country, chosen or taken back, removes All.
 */
export function chooseCountry(chosen: readonly CountryChoice[], clicked: CountryChoice): CountryChoice[] {
  if (clicked === "All") return chosen.includes("All") ? [] : [...countryChoices];
  return studyCountries.filter((country) => (country === clicked) !== chosen.includes(country));
}
