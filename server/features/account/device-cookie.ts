import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { cookieLine, cookieValue } from "./cookies.ts";

/** A browser may be known for this long after its last login: 365 days in seconds. */
const lifetime = 365 * 24 * 60 * 60;

/**
 * A cookie that shows that somebody has logged in to an account in this browser before. Its failed logins are counted
 * by themselves, so that strangers who fail on purpose can't keep the holder out (OWASP's "device cookies"). It names
 * nobody, opens nothing and stays after a logout. A browser has one: of the account that logged in last.
 */
export function createDeviceCookies(secret: string, secure: boolean) {
  const name = secure ? "__Host-wayfare-device" : "wayfare-device";
  const key = Buffer.from(hkdfSync("sha256", secret, "", "wayfare device cookie", 32));
  const sign = (device: string, email: string) =>
    createHmac("sha256", key).update(`${device}.${email}`).digest("base64url");

  return {
    create(email: string): string {
      const device = randomBytes(16).toString("base64url");
      return cookieLine(name, `${device}.${sign(device, email)}`, lifetime, secure);
    },
    /** Which browser the cookies are of, if it is known to the account; otherwise null. */
    read(cookies: string | null, email: string): string | null {
      const [device = "", signature = ""] = cookieValue(cookies, name)?.split(".") ?? [];
      const [given, want] = [Buffer.from(signature), Buffer.from(sign(device, email))];
      return given.length === want.length && timingSafeEqual(given, want) ? device : null;
    },
  };
}
