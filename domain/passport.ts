import { type Intake, intakes } from "#domain/application.ts";

/** Months for which a passport must be valid after a course. */
export const passportMonths = 6;

/** The month of each intake (0 is January). */
const months: Record<Intake, number> = {
  "Fall Intake (August or September)": 8,
  "Spring Intake (January)": 0,
  "Summer Intake (May or June)": 5,
};

/**
 * Returns the earliest days on which courses of the next intakes end, as YYYY-MM-DD by intake. The length of a course
 * is not known, so a year is assumed, which is the shortest usual length.
 */
export function courseEnd(now: Date): Record<Intake, string> {
  const ends = intakes.map((intake) => {
    const month = months[intake];
    const year = now.getUTCFullYear() + (now.getUTCMonth() > month ? 1 : 0);
    return [intake, new Date(Date.UTC(year + 1, month, 1)).toISOString().slice(0, 10)] as const;
  });
  return Object.fromEntries(ends) as Record<Intake, string>;
}
