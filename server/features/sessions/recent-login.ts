import { isRecentLogin } from "#domain/sign-in.ts";
import { Refusal } from "#server/refusal.ts";
import type { Session } from "./sessions.ts";

/**
 * Refuses with `auth/requires-recent-login` unless the session's holder has proved lately who they are: by logging in,
 * or by `account.confirmIdentity`. The browser asks for that by itself and sends the call again.
 */
export function demandRecentLogin({ provedAt }: Pick<Session, "provedAt">): void {
  if (!isRecentLogin(provedAt, new Date())) throw new Refusal("auth/requires-recent-login");
}
