import { type Problem } from "#domain/error-catalogue.ts";
import { wrong } from "#domain/problem.ts";
import { isInvisible, lineProblem } from "#domain/single-line.ts";

/** Most passkeys of an account. */
export const mostPasskeys = 10;
/** Most characters of a passkey's name. */
export const passkeyNameLimit = 60;

/** Shown when a device that has a passkey for the account would add a second one. */
export const passkeyExists = "This device already has a passkey for your account.";

/** Returns what is wrong with the name that somebody gives a passkey, or null. */
export function passkeyNameProblem(name: string): Problem<"name"> | null {
  if (isInvisible(name)) return wrong("name", "Please enter a name.");
  const message =
    name.trim().length > passkeyNameLimit
      ? `A name has at most ${passkeyNameLimit} characters.`
      : lineProblem(name.trim(), "The name");
  return message === null ? null : wrong("name", message);
}

/**
 * Whether a passkey's counter may go from one value to another: up, where the authenticator counts at all. A counter
 * that doesn't go up may belong to a copy.
 */
export const mayCount = (from: number, to: number): boolean => to > from || (from === 0 && to === 0);
