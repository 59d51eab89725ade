import { limits } from "#domain/account.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import { isInvisible, nameProblem } from "#domain/single-line.ts";

/** An agent's agency and country, as admins type them. */
export const agencyFields = ["agency", "country"] as const;
export type Agency = Record<(typeof agencyFields)[number], string>;

/** Labels of the fields. */
export const agencyLabel: Agency = { agency: "Agency name", country: "Country" };

/** Returns the first problem of an agency that an admin has entered, or null. */
export function agencyProblem(form: Agency): Problem<keyof Agency> | null {
  if (isInvisible(form.agency)) return wrong("agency", "Please enter the agency's name.");
  if (isInvisible(form.country)) return wrong("country", "Please enter the country.");
  for (const field of agencyFields) {
    const text = form[field].trim();
    const long = tooLong(field, agencyLabel[field], text, limits[field]);
    if (long) return long;
    const message = nameProblem(text, agencyLabel[field]);
    if (message) return wrong(field, message);
  }
  return null;
}
