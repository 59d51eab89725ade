import { limits } from "#domain/account.ts";
import { commonPassword, type Problem, weakPassword } from "#domain/error-catalogue.ts";
import { withoutApostrophes } from "#domain/name-search.ts";
import { wrong } from "#domain/problem.ts";

/**
 * Rules for a password: its minimum length, a check against common passwords (the browser has no list of them), and the
 * account's own email address and names, which attackers try next.
 */
export type PasswordPolicy = {
  minLength: number;
  isCommon?: (password: string) => boolean;
  ownWords?: readonly string[];
};

/** Returns what is wrong with a new password, or null. Passwords are never trimmed. */
export function passwordProblem(password: string, policy: PasswordPolicy): Problem<"password"> | null {
  if (password === "") return wrong("password", "Please enter a password.");
  return password.length < policy.minLength
    ? weakPassword(`Password must be at least ${policy.minLength} characters long.`)
    : null;
}

/** Most digits and signs around known words that don't make them harder to guess. */
const mostAround = 6;

/** Returns the words that attackers try first: the product's name, and the account's own words whole and in parts. */
export const guessedWords = (ownWords: readonly string[]): string[] =>
  ["wayfare", ...ownWords.flatMap((word) => [word, ...word.split(/[@\s]/)])]
    .map((word) => plain(word.trim()))
    .filter((word) => word !== "");

/** Removes letter case, accents, apostrophes and hyphens, which attackers and users leave out of names. */
const plain = (text: string): string =>
  withoutApostrophes(
    text
      .toLowerCase()
      .normalize("NFD")
      .replaceAll(/[\p{M}\p{Pd}]/gu, ""),
  );

/**
 * Whether a password only repeats one or two characters, is white space, or consists of known words with a few digits
 * and signs.
 */
function isEasilyGuessed(password: string, ownWords: readonly string[]): boolean {
  if (new Set(password.toLowerCase()).size <= 2 || password.trim() === "") return true;
  const text = plain(password);
  const words = guessedWords(ownWords).toSorted((a, b) => b.length - a.length);
  const rest = words.reduce((remainder, word) => remainder.replaceAll(word, ""), text);
  return rest !== text && rest.length <= mostAround && !/\p{L}/u.test(rest);
}

/** Runs the last checks of a form: whether the password is too long, common, or easily guessed. */
export function lastPasswordProblem(password: string, policy: PasswordPolicy): Problem<"password"> | null {
  if (password.length > limits.password)
    return weakPassword(`Password must be at most ${limits.password} characters long.`);
  const isWeak = policy.isCommon?.(password) || isEasilyGuessed(password, policy.ownWords ?? []);
  return isWeak ? commonPassword(policy.minLength) : null;
}

export type NewPassword = { password: string; confirmPassword: string };

/** Checks a form that only sets a new password, with the order and messages of the sign-up. */
export function newPasswordProblem(
  form: NewPassword,
  policy: PasswordPolicy,
): Problem<keyof NewPassword> | null {
  const problem = passwordProblem(form.password, policy);
  if (problem) return problem;
  if (form.password !== form.confirmPassword) return mismatch;
  return lastPasswordProblem(form.password, policy);
}

export type PasswordChange = NewPassword & { currentPassword: string };

/** Checks a form that changes a password. Only the server knows whether the current one is correct. */
export function passwordChangeProblem(
  form: PasswordChange,
  policy: PasswordPolicy,
): Problem<keyof PasswordChange> | null {
  if (form.currentPassword === "") return wrong("currentPassword", "Please enter your current password.");
  const problem = newPasswordProblem(form, policy);
  if (problem) return problem;
  return form.password === form.currentPassword
    ? weakPassword("Your new password must differ from your current one.")
    : null;
}

export const mismatch = wrong("confirmPassword", "Passwords do not match.");
