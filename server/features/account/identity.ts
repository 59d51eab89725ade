import type { Database } from "#server/platform/database.ts";
import type { Keys, Signer } from "#server/platform/keys.ts";
import { cookieLine, cookieValue } from "./cookies.ts";
import { createDeviceCookies } from "./device-cookie.ts";
import type { Passwords } from "./passwords/passwords.ts";

type Settings = { baseUrl: string; keys: Pick<Keys, "signer">; passwords: Passwords };
export type Identity = ReturnType<typeof createIdentity>;

/** What proves who somebody is: passwords, and signed cookies that carry the token of a session. */
export function createIdentity(database: Database, { baseUrl, keys, passwords }: Settings) {
  const secure = baseUrl.startsWith("https:");
  const name = secure ? "__Host-wayfare" : "wayfare.session_token";
  const signer = keys.signer("sessionCookie");

  return {
    /** Where links are kept. */
    database,
    passwords,
    devices: createDeviceCookies(keys, secure),
    secure,
    /** `seconds`: how long the browser keeps it; null until it closes. */
    sessionCookie: (token: string, seconds: number | null): string =>
      cookieLine(
        name,
        encodeURIComponent(`${token}.${signer.sign(token).toString("base64")}`),
        seconds,
        secure,
      ),
    /** The cookies that end a session in the browser. */
    closingCookies: (): string[] => [cookieLine(name, "", 0, secure)],
    readCookie: createCookieReader(name, signer),
  };
}

/** Signatures that were right, cached so that each is computed once; some 200 bytes each. */
const mostSignatures = 10_000;

/** Reads the session token out of a Cookie header: null unless it is there and signed by us. */
function createCookieReader(name: string, signer: Signer) {
  const right = new Map<string, string>();

  function verify(cookie: string): string | null {
    const value = decodeCookie(cookie);
    const dot = value.lastIndexOf(".");
    if (dot < 1) return null;
    const token = value.slice(0, dot);
    if (!signer.accepts(token, value.slice(dot + 1), "base64")) return null;
    if (right.size >= mostSignatures) right.clear();
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
