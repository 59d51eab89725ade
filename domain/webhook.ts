import type { Role } from "./account.ts";
import type { Problem } from "./error-catalogue.ts";
import { keysOf } from "./keys-of.ts";
import { type NotificationKind, notificationKinds, notificationTable } from "./notification.ts";
import type { SubjectId, SubjectIds } from "./notifications/kind.ts";
import { wrong } from "./problem.ts";

/** The event that a user sends to test a webhook. */
export const testEvent = "webhook.test";

/** Returns the type of a notification's event and the ids that the event carries. */
export function eventAbout(kind: NotificationKind, about: SubjectIds): { type: string; ids: SubjectIds } {
  const { event, ids } = notificationTable[kind];
  const entries = keysOf(ids).flatMap((name) => (about[name] ? [[name, about[name]]] : []));
  return { type: event, ids: Object.fromEntries(entries) };
}

/** Returns the body of a webhook's request. `at`: the time of the event. */
export const eventBody = (type: string, at: Date, ids: SubjectIds): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data: ids });

const isSentTo = (role: Role, kind: NotificationKind): boolean => {
  const { roles, followed } = notificationTable[kind];
  return roles.includes(role) || (role === "agent" && followed !== undefined);
};
const isForStaff = (kind: NotificationKind): boolean => isSentTo("agent", kind) || isSentTo("admin", kind);

/** Returns the events that a role can choose: those of its notifications, for agents also some of their students'. */
export const eventTypesOf = (role: Role): readonly string[] =>
  notificationKinds.filter((kind) => isSentTo(role, kind)).map((kind) => notificationTable[kind].event);

/** All events that webhooks send, with the ids that each can carry. */
export const sentEvents: readonly { type: string; ids: readonly SubjectId[] }[] = [
  ...notificationKinds.filter(isForStaff).map((kind) => {
    const { event, ids } = notificationTable[kind];
    return { type: event, ids: keysOf(ids) };
  }),
  { type: testEvent, ids: ["webhookId"] },
];

const titles = new Map<string, string>(
  Object.values(notificationTable).map(({ event, label, followed }) => [event, followed?.label ?? label]),
);
/** Returns the name of an event for users. */
export const eventTitle = (type: string): string => titles.get(type) ?? (type === testEvent ? "Test" : type);

/** Most webhooks of one account. */
export const mostWebhooks = 5;
/** Most characters of a webhook's URL. */
export const webhookUrlLimit = 500;
/** Hours for which a replaced secret still signs. */
export const formerSecretHours = 24;
/** Most secrets of a webhook that sign at the same time. */
export const mostSecrets = 5;
/** Days for which deliveries are listed. */
export const deliveriesKeptDays = 30;

export const webhookStates = ["active", "paused", "stopped"] as const;
/** `paused` by its owner, `stopped` by Wayfare. */
export type WebhookState = (typeof webhookStates)[number];
export const stopReasons = ["gone", "failing"] as const;
export type StopReason = (typeof stopReasons)[number];
export const stopReasonWords: Record<StopReason, string> = {
  gone: "Your server answered that it's gone (410).",
  failing: "Nothing could be delivered for a day.",
};

export const deliveryStates = ["waiting", "delivered", "failed", "cancelled"] as const;
/** `waiting` for its first attempt or for another one. `cancelled`: not to be sent any more. */
export type DeliveryState = (typeof deliveryStates)[number];
export const deliveryProblems = ["timeout", "blocked", "certificate", "unreachable"] as const;
/** Reasons for a missing response. `blocked`: the address is not a public one. */
export type DeliveryProblem = (typeof deliveryProblems)[number];

/** A receiver's response. A 2xx status means that it has the event. */
export type Answer = { status: number } | { problem: DeliveryProblem };

/**
 * Decides the result of an attempt. `isLast`: no other one follows. `hasWorked`: since the event, something was
 * delivered, or the webhook was turned on or given another URL. A manual delivery never stops a webhook for failing.
 */
export function decideDelivery(
  answer: Answer,
  { isLast, byHand, hasWorked }: { isLast: boolean; byHand: boolean; hasWorked: boolean },
): { state: Exclude<DeliveryState, "cancelled">; stop: StopReason | null } {
  if ("status" in answer && answer.status >= 200 && answer.status < 300)
    return { state: "delivered", stop: null };
  if ("status" in answer && answer.status === 410) return { state: "failed", stop: "gone" };
  if (byHand) return { state: "failed", stop: null };
  if (!isLast) return { state: "waiting", stop: null };
  return { state: "failed", stop: hasWorked ? null : "failing" };
}

/** Lower ports, except 443, belong to other kinds of services. */
const lowestPort = 1024;

/**
 * Returns what is wrong with a webhook's URL, judging by its text, or null. `isLocal`: the receiver is on the same
 * machine, where http and any port are allowed.
 */
export function webhookUrlProblem(text: string, isLocal: boolean): Problem<"url"> | null {
  if (text.length > webhookUrlLimit) return wrong("url", `A URL has at most ${webhookUrlLimit} characters.`);
  return receiverUrlProblem(text, isLocal);
}

/** Returns what is wrong with the URL of a receiver apart from its length, or null. */
export function receiverUrlProblem(text: string, isLocal: boolean): Problem<"url"> | null {
  if (!URL.canParse(text)) return wrong("url", "Please enter a URL, such as https://example.com/wayfare.");
  const { protocol, username, password, hash, port } = new URL(text);
  if (protocol !== "https:" && !(isLocal && protocol === "http:"))
    return wrong("url", "The URL must begin with https://.");
  if (username !== "" || password !== "")
    return wrong("url", "Please leave the name and password out. Every request is signed.");
  if (hash !== "") return wrong("url", "Please leave out everything from # on.");
  if (!isLocal && port !== "" && Number(port) < lowestPort)
    return wrong("url", `The port must be 443, or ${lowestPort} or above.`);
  return null;
}
