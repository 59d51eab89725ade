import { useSyncExternalStore } from "react";
import { isRole, type Role } from "#domain/account.ts";

const cookie = /(?:^|;\s*)wayfare-hint=([^;]*)/;

function readHint(): Role | null {
  const role = cookie.exec(document.cookie)?.[1] ?? "";
  return isRole(role) ? role : null;
}

const never = () => () => {};

/**
 * The role of whoever is probably signed in, from the server's readable cookie: no secret, no right. It lets
 * the first paint show the right menu until the server's answer is there.
 */
export const useHint = (): Role | null => useSyncExternalStore(never, readHint, () => null);
