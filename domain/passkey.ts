import { type Problem } from "#domain/error-catalogue.ts";
import { wrong } from "#domain/problem.ts";
import { isInvisible, lineProblem } from "#domain/single-line.ts";

/** Most passkeys of an account. */
export const mostPasskeys = 10;
/** Most characters of a passkey's name. */
export const passkeyNameLimit = 60;

/** Shown when a device that has a passkey for the account would add a second one. */
export const passkeyExists = "This device already has a passkey for your account.";

/** Returns what is wrong with a passkey's name, or null. */
export function passkeyNameProblem(name: string): Problem<"name"> | null {
  if (isInvisible(name)) return wrong("name", "Please enter a name.");
  const message =
    name.trim().length > passkeyNameLimit
      ? `A name has at most ${passkeyNameLimit} characters.`
      : lineProblem(name.trim(), "The name");
  return message === null ? null : wrong("name", message);
}

/**
 * Whether a passkey's counter may change from one value to another: it must increase, unless the authenticator doesn't
 * count and sends 0. A counter that doesn't increase may belong to a copy.
 */
export const mayCount = (from: number, to: number): boolean => to > from || (from === 0 && to === 0);
