import { type ApplicationState, stateLabels } from "#domain/application.ts";
import { keysOf } from "#domain/keys-of.ts";

/**
 * Acts on many students. `message`, `task` and `request` are sent to each student separately, `invite` to each person
 * in a file; `takeBack` gives the students of an earlier run back.
 */
export const bulkActs = [
  "assign",
  "move",
  "message",
  "task",
  "request",
  "invite",
  "import",
  "takeBack",
] as const;
export type BulkAct = (typeof bulkActs)[number];

/** Whether an act sends something to each student without changing existing data. */
export const isSending = (act: BulkAct): boolean =>
  act === "message" || act === "task" || act === "request" || act === "invite";

/**
 * Most students, and most of their applications, in one act; hours in which a prepared act can be started; days for
 * which its result is kept. An imported file may have as many rows as `csvLimits` says.
 */
export const bulkLimits = { students: 200, startWithinHours: 1, keptDays: 30 } as const;

export const bulkOutcomes = ["done", "skipped", "failed"] as const;
export type BulkOutcome = (typeof bulkOutcomes)[number];

const otherReasons = {
  gone: "No longer here",
  anotherAgents: "Another agent's student",
  unchanged: "Nothing to change",
  meanwhile: "Changed in the meantime",
  blocked: "Waits for a requested document",
  unconfirmed: "The student hasn't confirmed what is sent",
  agentGone: "The agent isn't approved any more",
  closed: "The student's account is closed",
  full: "Has as many of these as one student can have",
  noApplication: "No application",
  openAlready: "Another application for the same programme and intake is open",
  tooMany: "You've taken on many students within the hour",
  unknownStudent: "No such student",
  unknownAgent: "No approved agent has this email address",
  filled: "Has an agent already",
  repeated: "The student stands in an earlier row",
  badEmail: "No valid email address",
  badName: "The name is missing or can't be used",
  badMessage: "The message is too long or holds a web address",
  invitedAlready: "You've invited this address already",
  declined: "This person has declined your invitation",
  dailyLimit: "One day allows no more invitations. Bring the file in again tomorrow",
  unexpected: "Something went wrong on our side",
};

const stateReasons: Record<ApplicationState, string> = stateLabels;

/** Reasons why a row was left out. A state is that of an application that can't take the step from it. */
export const bulkReasons = { ...otherReasons, ...stateReasons };
export type BulkReason = keyof typeof bulkReasons;
export const bulkReasonNames = keysOf(bulkReasons);
