import type { Role } from "./account.ts";
import { type NotificationKind, notificationKindsOf, notificationTable } from "./notification.ts";
import type { Push } from "./notifications/kind.ts";
import { type Answer, receiverUrlProblem } from "./webhook.ts";

/** Most subscribed browsers of one account. */
export const mostPushSubscriptions = 10;
/** Most characters of the URL at which a push service accepts the messages for a browser. */
export const pushEndpointLimit = 1000;
/** Days after which a subscription ends if every message since has failed. */
export const failingPushDays = 14;
/** Most characters of a push's text: the whole message has room for about 4,000 bytes. */
const textLimit = 200;

/** Returns how a kind is pushed, or null if it isn't. */
export const pushOf = (kind: NotificationKind): Push | null => notificationTable[kind].push ?? null;

/** Returns the kinds of notifications that a role can have pushed. */
export const pushKindsOf = (role: Role): readonly NotificationKind[] =>
  notificationKindsOf[role].filter((kind) => pushOf(kind) !== null);

/** Returns the text of a push, which may appear on a locked screen: the kind's title, without unnecessary values. */
export function pushText(kind: NotificationKind, about: Readonly<Record<string, string>>): string {
  const { names = [] } = pushOf(kind) ?? {};
  const entries = Object.entries(about).filter(([name]) => names.includes(name));
  const text = notificationTable[kind].title(Object.fromEntries(entries));
  return text.length > textLimit ? `${text.slice(0, textLimit - 1).toWellFormed()}…` : text;
}

/**
 * Whether a URL can be a push service's, judging by its text. `isLocal`: the service runs on the same machine, where
 * http and any port are allowed.
 */
export const acceptsEndpoint = (text: string, isLocal: boolean): boolean =>
  text.length <= pushEndpointLimit && receiverUrlProblem(text, isLocal) === null;

/** `gone`: the browser has ended its subscription. `again`: the service may accept the push later. */
export type PushOutcome = "sent" | "gone" | "again" | "refused";

/** Decides the outcome of a push by the service's response (RFC 8030). */
export function decidePush(answer: Answer): PushOutcome {
  if ("problem" in answer) return answer.problem === "blocked" ? "refused" : "again";
  const { status } = answer;
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  return status === 429 || status >= 500 ? "again" : "refused";
}
