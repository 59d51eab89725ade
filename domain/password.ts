import { limits } from "#domain/account.ts";
import { commonPassword, type Problem, tooShortPassword } from "#domain/error-catalogue.ts";

/** How long a password must be, and whether it is one that everybody tries first. The browser knows no list. */
export type PasswordPolicy = { minLength: number; isCommon?: (password: string) => boolean };

/** What is wrong with a new password, or null. Passwords are never trimmed (product decisions, "Passwords"). */
export function passwordProblem(password: string, policy: PasswordPolicy): Problem<"password"> | null {
  if (password === "")
    return { code: "form/incomplete", message: "Please enter a password.", field: "password" };
  if (password.length < policy.minLength) return tooShortPassword(policy.minLength);
  return null;
}

/** The checks that come after every other of a form: too long, or on the list of common passwords. */
export function lastPasswordProblem(password: string, policy: PasswordPolicy): Problem<"password"> | null {
  if (password.length > limits.password)
    return {
      code: "auth/weak-password",
      message: `Password must be at most ${limits.password} characters long.`,
      field: "password",
    };
  return policy.isCommon?.(password) ? commonPassword(policy.minLength) : null;
}

export type NewPassword = { password: string; confirmPassword: string };

/** The checks of a form that only sets a new password, in the sign-up's order and words (spec 5). */
export function newPasswordProblem(
  form: NewPassword,
  policy: PasswordPolicy,
): Problem<keyof NewPassword> | null {
  const problem = passwordProblem(form.password, policy);
  if (problem) return problem;
  if (form.password !== form.confirmPassword) return mismatch;
  return lastPasswordProblem(form.password, policy);
}

export const mismatch: Problem<"confirmPassword"> = {
  code: "form/incomplete",
  message: "Passwords do not match.",
  field: "confirmPassword",
};
