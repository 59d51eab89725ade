import { isRecentLogin } from "#domain/sign-in.ts";
import { Refusal } from "#server/refusal.ts";
import type { Session } from "./sessions.ts";

/**
 * Throws `auth/requires-recent-login` unless the session's holder has recently proved their identity, by logging in or
 * with `account.confirmIdentity`. The browser then asks for that automatically and sends the call again.
 */
export function requireRecentLogin({ provedAt }: Pick<Session, "provedAt">): void {
  if (!isRecentLogin(provedAt, new Date())) throw new Refusal("auth/requires-recent-login");
}
