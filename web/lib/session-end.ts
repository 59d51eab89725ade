import type { Tie } from "#domain/deletion.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";

/** The reason why a session has ended: the code of a refused login, a log-out elsewhere, or unknown. */
type SessionEnd = ErrorCode | "loggedOut";

const unexplained = { sessionEnd: "unauthenticated" } as const;
/** The reason that the server gave when it last ended the tab's stream. */
let noted: { sessionEnd: SessionEnd } = unexplained;

export const sessionEndedWords = "Your session has ended. What you typed is kept.";
const loggedOutWords = "You've been logged out, here or on another device. What you typed is kept.";

const isCode = (code: unknown): code is ErrorCode =>
  typeof code === "string" && Object.hasOwn(messageOf, code);

/** Records why the session ended. `data` is the JSON of the stream's last event; null if there was none. */
export function noteSessionEnd(data: string | null): void {
  if (data === null) return void (noted = unexplained);
  const { code }: { code?: unknown } = JSON.parse(data);
  noted = { sessionEnd: isCode(code) ? code : "loggedOut" };
}

/**
 * Returns the state to pass to the login screen when a session ended during use. It stays the same object, because
 * `<Navigate>` navigates again for a new one.
 */
export const sessionEnd = (): { sessionEnd: SessionEnd } => noted;

/** The time until which a login keeps an account whose deletion was just requested, and the ties that delay it. */
type AccountEnd = { dueAt: Date; ties: readonly Tie[] };
let accountEnds: AccountEnd | null = null;
export const noteAccountEnd = (end: AccountEnd | null): void => void (accountEnds = end);
export const accountEnd = (): AccountEnd | null => accountEnds;

/** Returns the login screen's message for this navigation state, or null. */
export function sessionEndWords(state: unknown): string | null {
  const { sessionEnd: code }: { sessionEnd?: unknown } = Object(state);
  if (code === "loggedOut") return loggedOutWords;
  if (code === "unauthenticated") return sessionEndedWords;
  return isCode(code) ? messageOf[code] : null;
}
