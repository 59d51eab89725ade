import { isCalendarDate, yearsFrom } from "#domain/calendar-date.ts";
import { isCountry } from "#domain/country.ts";
import { looksLikeEmail, normaliseEmail } from "#domain/email.ts";
import { catalogue, type Problem } from "#domain/error-catalogue.ts";
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

type ProfileProblem = Problem<ProfileField> & { field: ProfileField };
/** `today` as YYYY-MM-DD. `storedCountry`: one that was typed at sign-up stays valid until another is chosen. */
type Circumstances = { role: ProfileRole; today: string; storedCountry: string };

export const earliestBirth = "1900-01-01";
/** Years that a passport's expiry may lie from today, back or ahead. */
const passportYears = 20;

const wrong = (field: ProfileField, message: string): ProfileProblem => ({
  code: "form/incomplete",
  message,
  field,
});

/** Loosely: at least five digits, with the signs that people put between them, and perhaps an extension. */
function looksLikePhone(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return digits >= 5 && digits <= 25 && /^\+?[\d\s().,/-]+((x|ext\.?)\s*\d+)?$/i.test(text);
}

/** As the sign-up form asks for it (spec 5). */
const wordsOf = (field: ProfileField): string =>
  field === "email" ? "email address" : profileLabel[field].toLowerCase();

/** What is wrong with one field that is filled in; null when all is well. */
type Check = (text: string, about: Circumstances) => string | null;

const fromList =
  (message: string, isListed: (text: string, about: Circumstances) => boolean): Check =>
  (text, about) =>
    isListed(text, about) ? null : message;

const checks: Partial<Record<ProfileField, Check>> = {
  phoneNumber: (text) => (looksLikePhone(text) ? null : "Please enter a valid phone number."),
  gender: fromList("Please choose your gender from the list.", isGender),
  citizenship: fromList("Please choose your citizenship from the list.", isCountry),
  country: fromList(
    "Please choose your country from the list.",
    (text, { storedCountry }) => text === storedCountry || isCountry(text),
  ),
  dateOfBirth: (text, { today }) => {
    if (!isCalendarDate(text)) return "Please enter your date of birth as a date.";
    if (text < earliestBirth) return "Please enter a date of birth after 1900.";
    return text < today ? null : "Please enter a date of birth in the past.";
  },
  passportExpiry: (text, { today }) => {
    if (!isCalendarDate(text)) return "Please enter your passport expiry as a date.";
    const isPlausible = text >= yearsFrom(today, -passportYears) && text <= yearsFrom(today, passportYears);
    return isPlausible ? null : "Please check the passport expiry date.";
  },
};

function problemOf(field: ProfileField, text: string, about: Circumstances): ProfileProblem | null {
  if (text === "")
    return requiredFields[about.role].includes(field)
      ? wrong(field, `Please enter your ${wordsOf(field)}.`)
      : null;
  if (field === "email" && !looksLikeEmail(text))
    return { code: "auth/invalid-email", message: catalogue["auth/invalid-email"], field };
  const message = checks[field]?.(text, about);
  if (message) return wrong(field, message);
  const limit = profileLimits[field];
  return text.length > limit
    ? wrong(field, `${profileLabel[field]} must be at most ${limit} characters long.`)
    : null;
}

/**
 * The profile as it is stored, trimmed, or the first thing wrong with it: the required fields first (spec 5), then
 * field by field in the order of the form. An agent's empty email leaves the address as it is.
 */
export function checkProfile(form: Profile, about: Circumstances): Profile | ProfileProblem {
  const stored: Profile = { ...form };
  for (const field of profileFields) stored[field] = form[field].trim();
  stored.email = normaliseEmail(form.email);
  for (const field of [...requiredFields[about.role], ...profileFields]) {
    const problem = problemOf(field, stored[field], about);
    if (problem) return problem;
  }
  return stored;
}

/** The first thing wrong with a profile, or null. */
export function profileProblem(form: Profile, about: Circumstances): ProfileProblem | null {
  const checked = checkProfile(form, about);
  return "code" in checked ? checked : null;
}
