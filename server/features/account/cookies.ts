/** The value of a cookie in a Cookie header, as it stands there. */
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
