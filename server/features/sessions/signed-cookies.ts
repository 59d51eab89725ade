import { randomBytes } from "node:crypto";
import { generateCookie } from "hono/cookie";
import { LRUCache } from "lru-cache";
import type { Role } from "#domain/account.ts";
import type { Keys, Signer } from "#server/platform/keys.ts";

/** The account that a known browser belongs to. Its mark holds for this address, until the epoch is raised. */
type BrowserMark = { email: string; browserEpoch: number };
/** Leaves out the epoch 0. */
const textOfMark = (device: string, { email, browserEpoch }: BrowserMark) =>
  browserEpoch === 0 ? `${device}.${email}` : `${device}.${email}.${browserEpoch}`;

type Settings = { baseUrl: string; keys: Pick<Keys, "signer"> };
export type SignedCookies = ReturnType<typeof createSignedCookies>;

const day = 24 * 60 * 60;

/** Makes and reads the signed cookies by which a browser is known: its session, its hint and its mark. */
export function createSignedCookies({ baseUrl, keys }: Settings) {
  const isSecure = baseUrl.startsWith("https:");
  const sessionName = isSecure ? "__Host-wayfare" : "wayfare.session_token";
  const hintName = isSecure ? "__Host-wayfare-hint" : "wayfare-hint";
  const deviceName = isSecure ? "__Host-wayfare-device" : "wayfare-device";
  const sessionSigner = keys.signer("sessionCookie");
  const deviceSigner = keys.signer("deviceCookie");

  /**
   * Returns a Set-Cookie line, by default for a cookie that only the server reads. `seconds` is its lifetime; null keeps
   * it until the browser closes.
   */
  function cookieLine(name: string, value: string, seconds: number | null, httpOnly = true): string {
    const life = seconds === null ? {} : { maxAge: seconds };
    return generateCookie(name, value, { ...life, httpOnly, secure: isSecure, sameSite: "Lax" });
  }

  /**
   * Returns a readable cookie that lets the first paint show the right menu, since a page's HTML is the same for
   * everyone. It is no secret and grants nothing: the server's answer corrects it.
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
     * Cookies that show for a year that somebody has logged in to an account in this browser before. Failed logins of a
     * known browser have a count of their own, so that strangers who fail on purpose can't keep the holder out (OWASP's
     * "device cookies"). Such a cookie names nobody, grants nothing and stays after a logout. A browser has one, of the
     * account that logged in last.
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

/** Right signatures that are cached, so that each is computed once; some 200 bytes each. */
const mostSignatures = 10_000;

/** Creates a reader of session tokens in Cookie headers. It returns null unless the token is there and we signed it. */
function createCookieReader(name: string, signer: Signer) {
  const right = new LRUCache<string, string>({ max: mostSignatures });

  function verify(cookie: string): string | null {
    const value = decodeCookie(cookie);
    const dot = value.lastIndexOf(".");
    if (dot < 1) return null;
    const token = value.slice(0, dot);
    if (!signer.accepts(token, value.slice(dot + 1), "base64")) return null;
    right.set(cookie, token);
    return token;
  }

  return (header: string | null): string | null => {
    const cookie = cookieValue(header, name);
    return cookie === null ? null : (right.get(cookie) ?? verify(cookie));
  };
}

function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
