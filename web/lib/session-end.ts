import type { Tie } from "#domain/deletion.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";

/** What the server said when it last ended the tab's stream; null where the account can log in again. */
let noted: ErrorCode | null = null;

const isCode = (code: unknown): code is ErrorCode =>
  typeof code === "string" && Object.hasOwn(messageOf, code);

/** `data`: of the stream's last event, in JSON; null where there was none. */
export function noteSessionEnd(data: string | null): void {
  const { code }: { code?: unknown } = data ? JSON.parse(data) : {};
  noted = isCode(code) ? code : null;
}

/** Goes along to the login screen when a session has ended while somebody was at work. */
export const sessionEnd = (): { sessionEnd: ErrorCode } => ({ sessionEnd: noted ?? "unauthenticated" });

/** Until when somebody can log in to keep the account that they have just asked to be deleted, and what keeps it so long. */
type AccountEnd = { dueAt: Date; ties: readonly Tie[] };
let accountEnds: AccountEnd | null = null;
export const noteAccountEnd = (end: AccountEnd | null): void => void (accountEnds = end);
export const accountEnd = (): AccountEnd | null => accountEnds;

/** What the login screen says to somebody who arrives with this state. */
export function sessionEndWords(state: unknown): string | null {
  const { sessionEnd: code }: { sessionEnd?: unknown } = Object(state);
  return isCode(code) ? messageOf[code] : null;
}
