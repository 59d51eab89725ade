import { isRole } from "#domain/account.ts";
import { looksLikeEmail } from "#domain/email.ts";
import { type ErrorCode, type Problem } from "#domain/error-catalogue.ts";
import { invalidEmail, wrong } from "#domain/problem.ts";

/** `code` is from the authenticator app, or a recovery code instead, if the account has an app. */
export type Credentials = { email: string; password: string; code?: string };

/** Checks that the login form's two fields are filled in. */
export function credentialsProblem({ email, password }: Credentials): Problem<"email" | "password"> | null {
  return emailProblem(email) ?? (password === "" ? wrong("password", "Please enter your password.") : null);
}

/** Checks only that the address isn't empty. */
function emailProblem(email: string): Problem<"email"> | null {
  return email.trim() === "" ? { ...invalidEmail, message: "Please enter your email address." } : null;
}

/** Checks that a password reset has an address, and that it looks like one. */
export function resetProblem(email: string): Problem<"email"> | null {
  return emailProblem(email) ?? (looksLikeEmail(email.trim()) ? null : invalidEmail);
}

/** The account, if any, with the email address of a login. A denied agent has only a tombstone. */
export type SignInSubject =
  | { kind: "unknown" }
  | { kind: "denied" }
  | { kind: "account"; role: string; status: string };

export type SignInRefusal = Extract<
  ErrorCode,
  | "auth/invalid-credential"
  | "auth/user-disabled"
  | "account/denied"
  | "account/revoked"
  | "account/invalid-role"
>;

/**
 * Decides whether a login may go ahead. The state of an account is revealed only with its password; without it, all
 * refusals are the same. A login keeps an account whose user asked for its deletion, unless an admin has disabled or
 * revoked it since.
 */
export function decideSignIn(subject: SignInSubject, passwordIsRight: boolean): "accepted" | SignInRefusal {
  if (!passwordIsRight || subject.kind === "unknown") return "auth/invalid-credential";
  if (subject.kind === "denied") return "account/denied";
  if (!isRole(subject.role)) return "account/invalid-role";
  if (subject.status === "revoked") return "account/revoked";
  return subject.status === "disabled" ? "auth/user-disabled" : "accepted";
}

/** Milliseconds for which a proof of identity is recent, so that the most sensitive calls need no new one. */
const recentLoginLasts = 15 * 60 * 1000;

/** Whether a user proved their identity recently enough to change how they log in, or to download all their data. */
export const isRecentLogin = (provedAt: Date, now: Date): boolean =>
  now.getTime() - provedAt.getTime() < recentLoginLasts;
