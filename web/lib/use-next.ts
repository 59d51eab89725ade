import { safeNext } from "#domain/area.ts";
import { useQueryOfAddress } from "./hydration.ts";

/** The address that somebody wanted in the first place, for the mail whose link leads on to it. */
export const useWanted = (): string | undefined => safeNext(useQueryOfAddress().get("next")) ?? undefined;

/**
 * Adds the address that somebody wanted in the first place to a path: it goes along while they log in, sign up or ask
 * for a new password.
 */
export function useNext(): (path: string) => string {
  const next = useWanted();
  return (path) => (next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`);
}
