import { friendlyError } from "#domain/friendly-error.ts";
import { failureOf } from "../../ui/failure.ts";

/** The words of a failed save. */
export const notSaved = "Failed to save profile. Please try again.";

/** Whose own words say more: what is wrong with a field, limits, and a session that is gone. */
const ownWords = new Set<string | null>(["auth/too-many-requests", "resource-exhausted", "unauthenticated"]);

/** The error to show for whatever stopped a save, with its code where it has one. */
export function profileNotSaved(error: unknown): unknown {
  const { code } = friendlyError(error);
  if (failureOf(error).field !== null || ownWords.has(code)) return error;
  return Object.assign(new Error(notSaved), code === null ? {} : { code });
}
