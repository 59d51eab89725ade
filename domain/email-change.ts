import { looksLikeEmail, normaliseEmail } from "#domain/email.ts";
import { type Problem } from "#domain/error-catalogue.ts";
import { invalidEmail, wrong } from "#domain/problem.ts";
import { credentialsProblem } from "#domain/sign-in.ts";

/** Another email address for an account, and the password that authenticates the user. */
export type EmailChange = { email: string; password: string };

/** Shown when too many confirmation emails were recently sent to the new address. */
export const crowdedMailbox =
  "Several confirmation emails went to this address within the last hour. Please try again later.";

/** Whether the form asks for another address. An agent may leave the field empty to keep the current one. */
export const isAnotherEmail = (email: string, currentEmail: string): boolean =>
  email.trim() !== "" && normaliseEmail(email) !== currentEmail;

/** Returns the first problem that the form can find, beginning with the login's checks, or null. */
export function emailChangeProblem(
  change: EmailChange,
  currentEmail: string,
): Problem<"email" | "password"> | null {
  const problem = credentialsProblem(change);
  if (problem) return problem;
  const email = normaliseEmail(change.email);
  if (!looksLikeEmail(email)) return invalidEmail;
  return email === currentEmail ? wrong("email", "This is already your email address.") : null;
}
