import { type StudyCountry, studyCountries } from "#domain/application.ts";
import { isCalendarDate } from "#domain/calendar-date.ts";
import { isCountry } from "#domain/country.ts";
import { type Currency, currencies } from "#domain/currency.ts";
import { timeZoneNamed } from "#domain/local-time.ts";
import { wrong } from "#domain/problem.ts";
import { type InstitutionEntry, programmeLimits } from "#domain/programme.ts";
import { type Equivalence, gradeProblem } from "#domain/qualification.ts";
import { visitableUrl } from "#domain/shortlist.ts";
import { nameProblem } from "#domain/single-line.ts";

/** Limits of a change to the catalogue and of its lists; texts in characters. */
export const catalogueLimits = {
  /** Programmes that one click marks as checked. */
  marked: 500,
  /** Programmes in one API call. */
  rowsOfCall: 100,
  otherNames: 20,
  groups: 200,
  groupName: 80,
  equivalences: 2000,
  equivalenceSource: 120,
  rates: 200,
  sources: 1000,
} as const;

/** Limits of a file of programmes, and the number of rows of one outcome that a report lists. */
export const importLimits = {
  rows: 20_000,
  bytes: 40 * 1024 * 1024,
  /** Characters of a cell, which can hold all the deadlines or all the requirements of a programme. */
  cell: 400_000,
  /** Bytes of one programme as JSON. */
  row: 512 * 1024,
  listed: 200,
} as const;

export const rowOutcomes = ["new", "changed", "unchanged", "refused"] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

/** The time zone of countries that have only one; null where each institution has to name its own. */
export const zoneOfCountry: Record<StudyCountry, string | null> = {
  CA: null,
  IE: "Europe/Dublin",
  AE: "Asia/Dubai",
  GB: "Europe/London",
  US: null,
};

/** Returns the institution to store, or the first problem of its name, place or country. */
export function checkInstitution(form: InstitutionEntry) {
  const name = form.name.trim();
  const place = form.place.trim();
  if (name === "") return wrong("name", "Please enter the name of the institution.");
  const problem = nameProblem(name, "Name") ?? nameProblem(place, "Place");
  if (problem !== null) return wrong(nameProblem(name, "Name") === null ? "place" : "name", problem);
  if (name.length > programmeLimits.institution)
    return wrong("name", `Name must be at most ${programmeLimits.institution} characters long.`);
  if (place.length > programmeLimits.place)
    return wrong("place", `Place must be at most ${programmeLimits.place} characters long.`);
  if (!studyCountries.includes(form.country)) return wrong("country", "Please choose a country.");
  return { ...form, name, place } satisfies InstitutionEntry;
}

/** Returns the institution to store, with its zone and website normalised, or its first problem. */
export function checkInstitutionForm(form: InstitutionEntry) {
  const institution = checkInstitution(form);
  if ("code" in institution) return institution;
  const zone = timeZoneNamed(form.zone.trim());
  if (zone === null) return wrong("zone", "Please choose a time zone.");
  const website = form.website.trim() === "" ? "" : visitableUrl(form.website);
  if (website === null)
    return wrong("website", "Please enter a web address that begins with http:// or https://.");
  return { ...institution, zone, website } satisfies InstitutionEntry;
}

/** Returns other names without empty and repeated ones, or their first problem. */
export function checkOtherNames(names: readonly string[], name: string) {
  const trimmed = [...new Set(names.map((each) => each.trim()))].filter(
    (each) => each !== "" && each !== name,
  );
  if (trimmed.length > catalogueLimits.otherNames)
    return wrong("otherNames", `There can be at most ${catalogueLimits.otherNames} other names.`);
  for (const other of trimmed) {
    const problem = nameProblem(other, "Other name");
    if (problem !== null) return wrong("otherNames", problem);
    if (other.length > 120) return wrong("otherNames", "Other name must be at most 120 characters long.");
  }
  return trimmed;
}

/** A group of nationalities that can have their own deadlines. */
export type NationalityGroup = { name: string; countries: readonly string[] };

/** Returns the group to store, or its first problem. A name has no semicolon, which separates values in a cell. */
export function checkGroup(group: NationalityGroup) {
  const name = group.name.trim();
  if (name === "") return wrong("name", "Please enter a name.");
  const problem = nameProblem(name, "Name");
  if (problem !== null) return wrong("name", problem);
  if (name.includes(";")) return wrong("name", "A name has no semicolon.");
  if (name.length > catalogueLimits.groupName)
    return wrong("name", `Name must be at most ${catalogueLimits.groupName} characters long.`);
  const countries = [...new Set(group.countries)].toSorted();
  if (countries.length === 0) return wrong("countries", "Please choose at least one country.");
  if (!countries.every(isCountry)) return wrong("countries", "Please choose countries from the list.");
  return { name, countries };
}

/** Returns the equivalence of two grades to store, or its first problem. */
export function checkEquivalence(form: Equivalence) {
  const source = form.source.trim();
  const from = gradeProblem(form.fromScale, form.fromGrade);
  if (from !== null) return wrong("fromGrade", from);
  if (form.fromScale === form.toScale) return wrong("toScale", "Please choose another scale.");
  const to = gradeProblem(form.toScale, form.toGrade);
  if (to !== null) return wrong("toGrade", to);
  const { firstYear, lastYear } = form;
  if ([firstYear, lastYear].some((year) => year !== null && !(year >= 1950 && year <= 2099)))
    return wrong("firstYear", "A year is between 1950 and 2099.");
  if (firstYear !== null && lastYear !== null && firstYear > lastYear)
    return wrong("lastYear", "The last year is before the first.");
  if (source === "") return wrong("source", "Please say where this table comes from.");
  const problem = nameProblem(source.replaceAll(".", " "), "Source");
  if (problem !== null) return wrong("source", problem);
  if (source.length > catalogueLimits.equivalenceSource)
    return wrong("source", `Source must be at most ${catalogueLimits.equivalenceSource} characters long.`);
  return { ...form, source };
}

/** A day's exchange rate: how much of a currency one rand is worth, as a decimal number in digits. */
export type Rate = { day: string; currency: Currency; perRand: string };

/** Parses a day's rates, one a line: a currency and a number with a decimal point. */
export function readRates(day: string, text: string) {
  const rates: Rate[] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, code = "", perRand = ""] = /^([a-z]{3})[\s,;:]+(\S+)$/i.exec(line.trim()) ?? [];
    const currency = currencies.find((each) => each === code.toUpperCase());
    if (!currency) return wrong("rates", "Please enter one currency a line, such as GBP 0.0432.");
    if (perRand.includes(",")) return wrong("rates", `${currency}: please write ${perRand} with a point.`);
    rates.push({ day, currency, perRand });
  }
  return rates.length > 0 ? rates : wrong("rates", "Please enter one currency a line, such as GBP 0.0432.");
}

/** Returns what is wrong with rates, or null. A rate's day can't be in the future. */
export function ratesProblem(rates: readonly Rate[], today: string) {
  const keys = new Set(rates.map(({ day, currency }) => `${day} ${currency}`));
  if (keys.size < rates.length) return wrong("rates", "Two rates are of one currency and day.");
  for (const { day, currency, perRand } of rates) {
    if (!isCalendarDate(day) || day > today || day < "2000-01-01")
      return wrong("rates", `${currency}: please enter the day of the rate, today at the latest.`);
    if (currency === "ZAR") return wrong("rates", "The rand itself has no rate.");
    if (!/^\d{1,10}(\.\d{1,10})?$/.test(perRand) || !/[1-9]/.test(perRand))
      return wrong("rates", `${currency}: please enter how much of it one rand is, such as 0.0432.`);
  }
  return null;
}

export const isStudyCountry = (text: string): text is StudyCountry =>
  studyCountries.some((country) => country === text);
