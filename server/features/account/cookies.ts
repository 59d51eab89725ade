import type { Role } from "#domain/account.ts";

/** The value of a cookie in a Cookie header, as it is there. */
export function cookieValue(header: string | null, name: string): string | null {
  const start = `${name}=`;
  const part = header?.split(/; */).find((entry) => entry.startsWith(start));
  return part?.slice(start.length) ?? null;
}

/** A Set-Cookie line for the server's own eyes. `seconds`: how long it lives; null until the browser closes. */
export function cookieLine(name: string, value: string, seconds: number | null, secure: boolean): string {
  const life = seconds === null ? "" : `; Max-Age=${seconds}`;
  return `${name}=${value}; Path=/${life}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}

/**
 * A readable cookie that lets the first paint of a ready-made page show the right menu. It is no secret and gives
 * no right: the server's answer corrects it.
 */
export function hintCookie(role: Role | null, secure: boolean): string {
  const life = role === null ? "Max-Age=0" : `Max-Age=${30 * 24 * 60 * 60}`;
  const name = secure ? "__Host-wayfare-hint" : "wayfare-hint";
  return `${name}=${role ?? ""}; Path=/; ${life}; SameSite=Lax${secure ? "; Secure" : ""}`;
}
