import { randomBytes } from "node:crypto";
import type { Keys } from "#server/platform/keys.ts";
import { cookieLine, cookieValue } from "./cookies.ts";

/** A browser may be known for this long after its last login: 365 days in seconds. */
const lifetime = 365 * 24 * 60 * 60;

/**
 * A cookie that shows that somebody has logged in to an account in this browser before. Its failed logins are counted
 * by themselves, so that strangers who fail on purpose can't keep the holder out (OWASP's "device cookies"). It names
 * nobody, opens nothing and stays after a logout. A browser has one: of the account that logged in last.
 */
export function createDeviceCookies(keys: Pick<Keys, "signer">, secure: boolean) {
  const name = secure ? "__Host-wayfare-device" : "wayfare-device";
  const signer = keys.signer("deviceCookie");

  return {
    create(email: string): string {
      const device = randomBytes(16).toString("base64url");
      const signature = signer.sign(`${device}.${email}`).toString("base64url");
      return cookieLine(name, `${device}.${signature}`, lifetime, secure);
    },
    /** Which browser the cookies are of, if it is known to the account; otherwise null. */
    read(cookies: string | null, email: string): string | null {
      const [device = "", signature = ""] = cookieValue(cookies, name)?.split(".") ?? [];
      return signer.accepts(`${device}.${email}`, signature) ? device : null;
    },
  };
}
