import { monthsBefore } from "#domain/calendar-date.ts";
import { countryName } from "#domain/country.ts";
import { type Currency, moneyInput, moneyText } from "#domain/currency.ts";
import { type Deadline, dayWords } from "#domain/deadline.ts";
import { daysFrom, localTime } from "#domain/local-time.ts";
import { type Fee, type IntakeEntry, startDay, uncheckedMonths } from "#domain/programme.ts";

/** Says where an institution is: its city, if it is known, and its country. */
export const placeWords = ({ place, country }: { place: string; country: string }): string =>
  [place, countryName(country)].filter((each) => each !== "").join(", ");

/** Formats the month of an intake, such as "September 2027". */
export const intakeWords = (intake: Pick<IntakeEntry, "year" | "month">): string =>
  dayWords(startDay(intake), "none").replace(/^1 /, "");

/** Returns the period of a fee: "a year", "for the whole programme", or "once" for kinds that are always paid once. */
export function feePeriodWords({ kind, per }: Pick<Fee, "kind" | "per">): string {
  if (per === "year") return "a year";
  return kind === "application" || kind === "deposit" ? "once" : "for the whole programme";
}

/** Formats the duration of a programme: whole years as years, "18 months", "Not known". */
export function durationWords(months: number | null): string {
  if (months === null) return "Not known";
  if (months % 12 > 0) return months === 1 ? "1 month" : `${months} months`;
  return months === 12 ? "1 year" : `${months / 12} years`;
}

/** Formats a fee as it is published, such as GBP 27,500, with cents only if there are any. */
export const feeWords = (amount: number, currency: Currency): string =>
  moneyText({ amount, currency }).replace(/\.0+$/, "");

/** Formats an amount in rand to the nearest hundred: "about R612,300". `cents` are cents of rand. */
export const aboutRandWords = (cents: number): string =>
  `about ${feeWords(Math.round(cents / 10_000) * 10_000, "ZAR")}`;

/**
 * Converts an amount in the currency's smallest unit to cents of rand. `perRand` is how much of the currency one rand
 * is worth, as text.
 */
export const inRand = (amount: number, currency: Currency, perRand: string): number =>
  Math.round((Number(moneyInput({ amount, currency })) / Number(perRand)) * 100);

/** Formats an academic year by the year in which it begins: 2026 is "2026/27". */
export const academicYearWords = (year: number): string =>
  `${year}/${String((year + 1) % 100).padStart(2, "0")}`;

/** Says that a programme has not been checked for long; null if it has. Both are days as YYYY-MM-DD. */
export function uncheckedWords(checkedOn: string, today: string): string | null {
  if (checkedOn < monthsBefore(today, uncheckedMonths.below)) return "Not checked for 18 months";
  return checkedOn < monthsBefore(today, uncheckedMonths.said) ? "Not checked for a year" : null;
}

/** Returns the deadline of an institution that is over at a moment. Midnight is the end of the day before. */
export function deadlineAt(at: Date, zone: string, hard = true): Deadline {
  const { date, time } = localTime(zone, at);
  const whose = "institution" as const;
  return time === "00:00"
    ? { date: daysFrom(date, -1), time: null, zone, whose, hard }
    : { date, time, zone, whose, hard };
}
