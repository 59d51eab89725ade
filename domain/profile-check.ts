import { isCalendarDate, yearsFrom } from "#domain/calendar-date.ts";
import { isCountry } from "#domain/country.ts";
import { looksLikeEmail, normaliseEmail } from "#domain/email.ts";
import { catalogue, type Problem } from "#domain/error-catalogue.ts";
import { phoneProblem } from "#domain/phone.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import {
  isGender,
  type Profile,
  type ProfileField,
  type ProfileRole,
  profileFields,
  profileLabel,
  profileLimits,
  requiredFields,
} from "#domain/profile.ts";
import { isInvisible, lineProblem, nameProblem } from "#domain/single-line.ts";

type ProfileProblem = Problem<ProfileField> & { field: ProfileField };
/** `today` as YYYY-MM-DD. `stored` values stay valid until they are changed, whatever the current rules are. */
type Circumstances = { role: ProfileRole; today: string; stored: Partial<Profile> };

export const earliestBirth = "1900-01-01";
/** Most years between today and a passport's expiry, in the past or the future. */
const passportYears = 20;
/** Lowest plausible age in years: anyone younger has probably mistyped the year. */
const youngestApplicant = 14;

/** Names a field within a sentence, as the sign-up form does. */
const wordsOf = (field: ProfileField): string =>
  field === "email" ? "email address" : profileLabel[field].toLowerCase();

/** Checks a field that is filled in. Returns its problem, or null. */
type Check = (text: string, label: string, about: Circumstances) => string | null;

const fromList =
  (message: string, isListed: (text: string) => boolean): Check =>
  (text) =>
    isListed(text) ? null : message;

const checks: Partial<Record<ProfileField, Check>> = {
  firstName: nameProblem,
  lastName: nameProblem,
  middleName: nameProblem,
  idNumber: lineProblem,
  passportNumber: lineProblem,
  phoneNumber: phoneProblem,
  addressLine1: lineProblem,
  addressLine2: lineProblem,
  city: nameProblem,
  state: nameProblem,
  postalCode: lineProblem,
  gender: fromList("Please choose your gender from the list.", isGender),
  citizenship: fromList("Please choose your citizenship from the list.", isCountry),
  country: fromList("Please choose your country from the list.", isCountry),
  dateOfBirth: (text, _label, { today }) => {
    if (!isCalendarDate(text)) return "Please enter your date of birth as a date.";
    if (text < earliestBirth) return "Please enter a date of birth after 1900.";
    return text < today ? null : "Please enter a date of birth in the past.";
  },
  passportExpiry: (text, _label, { today }) => {
    if (!isCalendarDate(text)) return "Please enter your passport expiry as a date.";
    const isPlausible = text >= yearsFrom(today, -passportYears) && text <= yearsFrom(today, passportYears);
    return isPlausible ? null : "Please check the passport expiry date.";
  },
};

function problemOf(field: ProfileField, text: string, about: Circumstances): ProfileProblem | null {
  // An account always has an address. If it could be emptied, the form would report a success and the address would
  // stay.
  if (text === "")
    return field === "email" || requiredFields[about.role].includes(field)
      ? wrong(field, `Please enter your ${wordsOf(field)}.`)
      : null;
  if (text === about.stored[field]) return null;
  if (field === "email" && !looksLikeEmail(text))
    return { code: "auth/invalid-email", message: catalogue["auth/invalid-email"], field };
  const message = checks[field]?.(text, profileLabel[field], about);
  return message ? wrong(field, message) : tooLong(field, profileLabel[field], text, profileLimits[field]);
}

/**
 * Returns the trimmed profile to store, or its first problem: the required fields first, then field by field in the
 * order of the form.
 */
export function checkProfile(form: Profile, about: Circumstances): Profile | ProfileProblem {
  const profile: Profile = { ...form };
  for (const field of profileFields) profile[field] = isInvisible(form[field]) ? "" : form[field].trim();
  profile.email = normaliseEmail(form.email);
  for (const field of [...requiredFields[about.role], ...profileFields]) {
    const problem = problemOf(field, profile[field], about);
    if (problem) return problem;
  }
  return profile;
}

/** Returns the first problem of a profile, or null. */
export function profileProblem(form: Profile, about: Circumstances): ProfileProblem | null {
  const profile = checkProfile(form, about);
  return "code" in profile ? profile : null;
}

/** Fields of a profile that admins can edit too. None is an identity field. */
export const detailFields = [
  "firstName",
  "lastName",
  "phoneNumber",
] as const satisfies readonly ProfileField[];
export type Details = Pick<Profile, (typeof detailFields)[number]>;

/** Returns the trimmed details to store, or their first problem, field by field. */
export function checkDetails(form: Details, about: Circumstances): Details | ProfileProblem {
  const details: Details = { ...form };
  for (const field of detailFields) {
    details[field] = isInvisible(form[field]) ? "" : form[field].trim();
    const problem = problemOf(field, details[field], about);
    if (problem) return problem;
  }
  return details;
}

/** Returns a hint to show beside a field whose value is valid but probably mistyped, or null. */
export function profileHint(field: ProfileField, text: string, today: string): string | null {
  if (!isCalendarDate(text)) return null;
  if (field === "dateOfBirth" && text < today && text > yearsFrom(today, -youngestApplicant))
    return `Please check the year: that makes you younger than ${youngestApplicant}.`;
  if (field === "passportExpiry" && text < today)
    return "This passport has expired. You'll need a valid one for your visa.";
  return null;
}
