import { looksLikeEmail, normaliseEmail } from "#domain/email.ts";
import { type Problem } from "#domain/error-catalogue.ts";
import { invalidEmail, wrong } from "#domain/problem.ts";
import { credentialsProblem } from "#domain/sign-in.ts";

/** Another email address for an account, and the password that proves who asks. */
export type EmailChange = { email: string; password: string };

/** Too many mails went to an address lately that accounts asked to move to. */
export const crowdedMailbox =
  "Several confirmation emails went to this address within the last hour. Please try again later.";

/** Whether another address is asked for; left empty, as an agent may, it stays. */
export const isAnotherEmail = (typed: string, currentEmail: string): boolean =>
  typed.trim() !== "" && normaliseEmail(typed) !== currentEmail;

/** What the form can see by itself, the login's checks first; null when all is well. */
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
