import { randomBytes } from "node:crypto";
import { generateCookie } from "hono/cookie";
import { LRUCache } from "lru-cache";
import type { Role } from "#domain/account.ts";
import type { Keys, Signer } from "#server/platform/keys.ts";

/** The account that a known browser belongs to. Its mark is valid for this address, until the epoch is raised. */
type BrowserMark = { email: string; browserEpoch: number };
/** Leaves out the epoch 0. */
const textOfMark = (device: string, { email, browserEpoch }: BrowserMark) =>
  browserEpoch === 0 ? `${device}.${email}` : `${device}.${email}.${browserEpoch}`;

type Settings = { baseUrl: string; keys: Pick<Keys, "signer"> };
export type SignedCookies = ReturnType<typeof createSignedCookies>;

const day = 24 * 60 * 60;

/** Creates and reads the cookies of a browser: its signed session, its hint and its signed mark. */
export function createSignedCookies({ baseUrl, keys }: Settings) {
  const isSecure = baseUrl.startsWith("https:");
  const sessionName = isSecure ? "__Host-wayfare" : "wayfare.session_token";
  const hintName = isSecure ? "__Host-wayfare-hint" : "wayfare-hint";
  const deviceName = isSecure ? "__Host-wayfare-device" : "wayfare-device";
  const sessionSigner = keys.signer("sessionCookie");
  const deviceSigner = keys.signer("deviceCookie");

  /**
   * Returns a Set-Cookie line, by default for a cookie that only the server can read. `seconds` is its lifetime; null
   * keeps it until the browser closes.
   */
  function cookieLine(name: string, value: string, seconds: number | null, httpOnly = true): string {
    const life = seconds === null ? {} : { maxAge: seconds };
    return generateCookie(name, value, { ...life, httpOnly, secure: isSecure, sameSite: "Lax" });
  }

  /**
   * Returns a cookie that scripts can read, so that the first paint shows the correct menu, because a page's HTML is
   * the same for everyone. It is not secret and grants nothing: the server's response corrects it.
   */
  const hintCookie = (role: Role | null): string =>
    cookieLine(hintName, role ?? "", role === null ? 0 : 30 * day, false);

  return {
    hintCookie,
    /** Returns the cookie with a session's token. `seconds` is its lifetime; null keeps it until the browser closes. */
    sessionCookie(token: string, seconds: number | null): string {
      const signature = sessionSigner.sign(token).toString("base64");
      return cookieLine(sessionName, `${token}.${signature}`, seconds);
    },
    /** Returns the cookies that end a session in the browser. */
    closingCookies: (): string[] => [cookieLine(sessionName, "", 0), hintCookie(null)],
    readCookie: createCookieReader(sessionName, sessionSigner),
    /**
     * Cookies that show for a year that an account was logged in to in this browser before. Failed logins of a known
     * browser are counted separately, so that strangers who fail on purpose can't lock the holder out (OWASP's "device
     * cookies"). Such a cookie names nobody, grants nothing and stays after a logout. A browser has one, of the account
     * that logged in last.
     */
    devices: {
      create(account: BrowserMark): string {
        const device = randomBytes(16).toString("base64url");
        const signature = deviceSigner.sign(textOfMark(device, account)).toString("base64url");
        return cookieLine(deviceName, `${device}.${signature}`, 365 * day);
      },
      /** Returns the id of the browser that sent the cookies if the account knows it, otherwise null. */
      read(cookies: string | null, account: BrowserMark): string | null {
        const [device = "", signature = ""] = cookieValue(cookies, deviceName)?.split(".") ?? [];
        return deviceSigner.accepts(textOfMark(device, account), signature) ? device : null;
      },
    },
  };
}

/** Returns the raw value of a cookie in a Cookie header. */
function cookieValue(header: string | null, name: string): string | null {
  const start = `${name}=`;
  const part = header?.split(/; */).find((entry) => entry.startsWith(start));
  return part?.slice(start.length) ?? null;
}

/** Number of valid signatures to cache, about 200 bytes each. */
const maxSignatures = 10_000;

/** Creates a reader of session tokens in Cookie headers, which returns null without a validly signed token. */
function createCookieReader(name: string, signer: Signer) {
  const verified = new LRUCache<string, string>({ max: maxSignatures });

  function verify(cookie: string): string | null {
    const value = decodeCookie(cookie);
    const dot = value.lastIndexOf(".");
    if (dot < 1) return null;
    const token = value.slice(0, dot);
    if (!signer.accepts(token, value.slice(dot + 1), "base64")) return null;
    verified.set(cookie, token);
    return token;
  }

  return (header: string | null): string | null => {
    const cookie = cookieValue(header, name);
    return cookie === null ? null : (verified.get(cookie) ?? verify(cookie));
  };
}

function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
