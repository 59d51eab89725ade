import type { AccountStatus } from "#domain/account.ts";
import { documentLimits, uploadRefusal } from "#domain/document.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { type FileRefusal, megabytes } from "#domain/file-rules.ts";
import { tooLong, wrong } from "#domain/problem.ts";

/**
 * The two sides of a conversation. Users who may move its application take part: `moverOf` in
 * domain/application-step.ts.
 */
export const sides = ["student", "staff"] as const;
export type Side = (typeof sides)[number];

/** Returns the side that a user writes for: "student" for students, "staff" for everyone else. */
export const sideOf = ({ role }: AccountStatus): Side => (role === "student" ? "student" : "staff");
export const otherSide: Record<Side, Side> = { student: "staff", staff: "student" };

/**
 * States of a message. A message that its author took back, or that an admin blacked out, leaves a stub without text
 * and files.
 */
export const messageStates = ["sent", "takenBack", "blackedOut"] as const;
export type MessageState = (typeof messageStates)[number];

/** Filters of a user's conversations: all, those that wait for the user's side, and those with unread messages. */
export const conversationFilters = ["all", "waiting", "unread"] as const;
export type ConversationFilter = (typeof conversationFilters)[number];

/**
 * Characters of a message's `text` and of the `reason` for blacking one out; `files` of one message; `takeBack`:
 * minutes in which a message can be taken back; `preview`: characters of the last message in a list; `hourlyMessages`
 * and `hourlyFiles` of an account.
 */
export const messageLimits = {
  text: 4000,
  reason: 500,
  files: 5,
  takeBack: 15,
  preview: 140,
  hourlyMessages: 60,
  hourlyFiles: 20,
} as const;

/** Refusals of a message's file, by problem: those of documents, except for the messages about the storage limit. */
export const messageFileRefusal: typeof uploadRefusal = {
  ...uploadRefusal,
  noRoom: noRoom(documentLimits.total),
  noRoomUnverified: noRoom(documentLimits.totalUnverified),
};

function noRoom(bytes: number): FileRefusal {
  return {
    code: "resource-exhausted",
    message: `There's no room for this file: files in a student's messages can take up ${megabytes(bytes)} in all.`,
  };
}

/**
 * Returns a message's text as it is stored, trimmed, or its problem: it may be empty only beside files, and has at most
 * `messageLimits.text` characters.
 */
export function checkMessage(text: string, files: number): { text: string } | Problem<"text" | "files"> {
  const trimmed = text.trim();
  if (trimmed === "" && files === 0) return wrong("text", "Please write a message.");
  if (files > messageLimits.files)
    return wrong("files", `A message can have at most ${messageLimits.files} files.`);
  return tooLong("text", "A message", trimmed, messageLimits.text) ?? { text: trimmed };
}

/** Checks the text that is about to be sent for the browser, which needs only the problem. */
export function messageProblem(text: string, files: number): Problem<"text" | "files"> | null {
  const message = checkMessage(text, files);
  return "code" in message ? message : null;
}

/** Checks the reason for blacking out a message. */
export const blackOutProblem = (reason: string): Problem<"reason"> | null =>
  reason.trim() === ""
    ? wrong("reason", "Please enter a reason.")
    : tooLong("reason", "A reason", reason, messageLimits.reason);

/** Returns the time until which the author can take back a message sent at `at`, if nobody else reads it first. */
export const takeBackUntil = (at: Date): Date => new Date(at.getTime() + messageLimits.takeBack * 60_000);

/**
 * `allowed`: a stub replaces it. `tooLate`: the 15 minutes are over. `read`: another participant has read it. `gone`:
 * it is a stub already.
 */
export type TakeBackDecision = "allowed" | "tooLate" | "read" | "gone";

/** Decides whether its author can take a message back at `now`. */
export function decideTakeBack(
  message: { state: MessageState; at: Date; isRead: boolean },
  now: Date,
): TakeBackDecision {
  if (message.state !== "sent") return "gone";
  if (message.isRead) return "read";
  return now > takeBackUntil(message.at) ? "tooLate" : "allowed";
}

/** Shown where a message can't be taken back any more. */
export const takeBackRefusal: Record<Exclude<TakeBackDecision, "allowed">, string> = {
  tooLate: `A message can be taken back for ${messageLimits.takeBack} minutes.`,
  read: "Somebody has read this message already, so it can't be taken back.",
  gone: "This message is gone already.",
};

type WaitingSide = { waiting: Side | null; since: Date | null };

/**
 * Returns the side that a conversation waits for, and since when: since the first message of the other side that it has
 * neither answered nor marked "No answer needed" (`isSettled`). `messages` are in their order, without those that were
 * taken back.
 */
export function waitingSideOf(
  messages: readonly { side: Side; at: Date; isSettled: boolean }[],
): WaitingSide {
  const last = messages.at(-1);
  if (last === undefined || last.isSettled) return { waiting: null, since: null };
  const before = messages.findLastIndex(({ side, isSettled }) => side !== last.side || isSettled);
  return { waiting: otherSide[last.side], since: messages[before + 1]?.at ?? last.at };
}

/** Shown to staff for a student who can't read messages: their account is disabled or being deleted. */
export const unreachableStudent = "This student's account is closed, so nobody would read your message.";

/**
 * Whether a text seems to contain a passport number: one or two letters and seven or eight digits, or six to nine
 * digits if the text contains "passport". The browser then offers to send it as a document.
 */
export const looksLikePassportNumber = (text: string): boolean =>
  /\b[A-Z]{1,2}\d{7,8}\b/i.test(text) ||
  (/\bpassport/i.test(text) && /\b(?:[A-Z]{1,2}[ -]?)?\d(?:[ -]?\d){5,8}\b/i.test(text));
