import type { Role } from "#domain/account.ts";

/**
 * A readable cookie that lets the first paint of a ready-made page show the right menu. It is no secret and gives
 * no right: the server's answer corrects it.
 */
export function hintCookie(role: Role | null, secure: boolean): string {
  const life = role === null ? "Max-Age=0" : `Max-Age=${30 * 24 * 60 * 60}`;
  const name = secure ? "__Host-wayfare-hint" : "wayfare-hint";
  return `${name}=${role ?? ""}; Path=/; ${life}; SameSite=Lax${secure ? "; Secure" : ""}`;
}
