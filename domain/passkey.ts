import { type Problem } from "#domain/error-catalogue.ts";
import { wrong } from "#domain/problem.ts";
import { isInvisible, lineProblem } from "#domain/single-line.ts";

/** Most passkeys of an account. */
export const mostPasskeys = 10;
/** Most characters of a passkey's name. */
export const passkeyNameLimit = 60;

/** Why the same device makes no second one. */
export const passkeyExists = "This device already has a passkey for your account.";

/** What is wrong with the name that somebody gives a passkey; null when all is well. */
export function passkeyNameProblem(name: string): Problem<"name"> | null {
  if (isInvisible(name)) return wrong("name", "Please enter a name.");
  const message =
    name.trim().length > passkeyNameLimit
      ? `A name has at most ${passkeyNameLimit} characters.`
      : lineProblem(name.trim(), "The name");
  return message === null ? null : wrong("name", message);
}

/**
 * Whether a passkey's counter may go from one value to another: up, where the authenticator counts at all. One that does
 * not go up may be of a copy.
 */
export const mayCount = (from: number, to: number): boolean => to > from || (from === 0 && to === 0);
