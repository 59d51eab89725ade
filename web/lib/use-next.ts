import { safeNext } from "#domain/area.ts";
import { useQueryOfAddress } from "./hydration.ts";

/** Returns the address that was originally requested, for the mail whose link leads on to it. */
export const useRequestedAddress = (): string | undefined =>
  safeNext(useQueryOfAddress().get("next")) ?? undefined;

/** Adds the originally requested address to a path, so that it survives a login, a sign-up or a password reset. */
export function useNext(): (path: string) => string {
  const next = useRequestedAddress();
  return (path) => (next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`);
}
