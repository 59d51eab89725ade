import { safeNext } from "#domain/area.ts";
import { useQueryOfAddress } from "./hydration.ts";

/** Returns the address that somebody originally wanted, for the mail whose link leads on to it. */
export const useWanted = (): string | undefined => safeNext(useQueryOfAddress().get("next")) ?? undefined;

/** Adds the originally wanted address to a path, so that it survives a login, a sign-up or a password reset. */
export function useNext(): (path: string) => string {
  const next = useWanted();
  return (path) => (next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`);
}
