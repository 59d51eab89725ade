import { useSyncExternalStore } from "react";
import { isRole, type Role } from "#domain/account.ts";

/** Over https only the server can set the cookie of this name. */
const cookieName = () => (location.protocol === "https:" ? "__Host-wayfare-hint" : "wayfare-hint");

/** Read from the cookie, for code outside of React. */
export function readHint(): Role | null {
  const start = `${cookieName()}=`;
  const cookie = document.cookie.split("; ").find((entry) => entry.startsWith(start));
  const role = cookie?.slice(start.length) ?? "";
  return isRole(role) ? role : null;
}

const never = () => () => {};

/**
 * The role of whoever is probably signed in, from the server's readable cookie: no secret, no right. It lets
 * the first paint show the right menu until the server's answer is there.
 */
export const useHint = (): Role | null => useSyncExternalStore(never, readHint, () => null);
