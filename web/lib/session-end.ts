import type { Tie } from "#domain/deletion.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";

/** Why a session has ended: what a login would be refused with, a log-out elsewhere, or unknown. */
type SessionEnd = ErrorCode | "loggedOut";

/** What the server said when it last ended the tab's stream; null where it said nothing. */
let noted: SessionEnd | null = null;

export const sessionEndedWords = "Your session has ended. What you typed is kept.";
const loggedOutWords = "You've been logged out, here or on another device. What you typed is kept.";

const isCode = (code: unknown): code is ErrorCode =>
  typeof code === "string" && Object.hasOwn(messageOf, code);

/** `data`: of the stream's last event, in JSON; null where there was none. */
export function noteSessionEnd(data: string | null): void {
  if (data === null) return void (noted = null);
  const { code }: { code?: unknown } = JSON.parse(data);
  noted = isCode(code) ? code : "loggedOut";
}

/** Goes along to the login screen when a session has ended while somebody was at work. */
export const sessionEnd = (): { sessionEnd: SessionEnd } => ({ sessionEnd: noted ?? "unauthenticated" });

/** Until when somebody can log in to keep the account that they have just asked to be deleted, and what keeps it so long. */
type AccountEnd = { dueAt: Date; ties: readonly Tie[] };
let accountEnds: AccountEnd | null = null;
export const noteAccountEnd = (end: AccountEnd | null): void => void (accountEnds = end);
export const accountEnd = (): AccountEnd | null => accountEnds;

/** What the login screen says to somebody who arrives with this state. */
export function sessionEndWords(state: unknown): string | null {
  const { sessionEnd: code }: { sessionEnd?: unknown } = Object(state);
  if (code === "loggedOut") return loggedOutWords;
  if (code === "unauthenticated") return sessionEndedWords;
  return isCode(code) ? messageOf[code] : null;
}
