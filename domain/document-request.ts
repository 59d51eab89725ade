import { type DocumentKind, documentKinds, documentLabel } from "#domain/document.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import { nameProblem } from "#domain/single-line.ts";

/** Kinds of requested papers: one of the six documents, or another paper by its name. */
export const requestKinds = [...documentKinds, "other"] as const;
export type RequestKind = DocumentKind | "other";

/** States of a request. One that is sent back waits for the student again. */
export const requestStates = ["asked", "supplied", "accepted", "sentBack", "cancelled"] as const;
export type RequestState = (typeof requestStates)[number];

/** Whether the student still has to send something. */
export const isWanted = (state: RequestState): state is "asked" | "sentBack" =>
  state === "asked" || state === "sentBack";
/** Whether a request is neither accepted nor cancelled. */
export const isRequestOpen = (state: RequestState): boolean => isWanted(state) || state === "supplied";

/** Longest texts in characters; most requests in one call, and of one student. */
export const requestLimits = { name: 80, reason: 500, perCall: 10, perStudent: 300 } as const;

/** Returns the title of a request. */
export const requestTitle = ({ kind, name }: { kind: RequestKind; name: string }): string =>
  kind === "other" ? name : documentLabel[kind];

type RequestForm = { kind: RequestKind; name: string; reason: string };

/** Returns the request to store, or the first problem of its texts. */
export function checkRequest({ kind, name, reason }: RequestForm): RequestForm | Problem<"name" | "reason"> {
  const trimmed = kind === "other" ? name.trim() : "";
  const text = reason.trim();
  if (kind === "other" && trimmed === "") return wrong("name", "Please enter what you need.");
  // The name appears in the subjects of emails.
  const message = kind === "other" ? nameProblem(trimmed, "Name") : null;
  const problem =
    tooLong("name", "The name", trimmed, requestLimits.name) ??
    (message === null ? null : wrong("name", message)) ??
    tooLong("reason", "The reason", text, requestLimits.reason);
  return problem ?? { kind, name: trimmed, reason: text };
}

/** Returns why a request can't block, or null. Only an application can wait for a request. */
export const blocksProblem = (request: {
  blocks: boolean;
  applicationId: string | null;
}): Problem<"blocks"> | null =>
  request.blocks && request.applicationId === null
    ? wrong("blocks", "Please choose the application that waits for it.")
    : null;

/** Decisions of the assigned agent, or of an admin, about a request. */
export const requestDecisions = ["accepted", "sentBack", "cancelled"] as const;
export type RequestDecision = (typeof requestDecisions)[number];

/** `conflict`: the request's state doesn't allow this decision, or its file is reviewed as a document. */
export type DecisionOutcome =
  | { kind: "becomes"; state: RequestDecision; note: string }
  | { kind: "problem"; problem: Problem<"note"> }
  | { kind: "conflict" };

/** Decides about a request. A request for one of the six documents follows the review of its document. */
export function decideRequest(
  { kind, state }: { kind: RequestKind; state: RequestState },
  decision: RequestDecision,
  note: string,
): DecisionOutcome {
  const text = note.trim();
  if (decision === "cancelled")
    return isRequestOpen(state) ? { kind: "becomes", state: decision, note: "" } : { kind: "conflict" };
  const mayBeSentBack = decision === "sentBack" && state === "accepted";
  if (kind !== "other" || (state !== "supplied" && !mayBeSentBack)) return { kind: "conflict" };
  if (decision === "accepted") return { kind: "becomes", state: decision, note: "" };
  const problem =
    text === ""
      ? wrong("note", "Please enter a reason.")
      : tooLong("note", "The reason", text, requestLimits.reason);
  return problem ? { kind: "problem", problem } : { kind: "becomes", state: decision, note: text };
}

/** Returns the state of a request for one of the six documents after its slot has changed, or null if it stays. */
export function followDocument(
  state: RequestState,
  document: "uploaded" | "approved" | "rejected" | "gone",
): Exclude<RequestState, "cancelled"> | null {
  if (document === "uploaded") return isWanted(state) ? "supplied" : null;
  if (state !== "supplied") return null;
  const next = { approved: "accepted", rejected: "sentBack", gone: "asked" } as const;
  return next[document];
}
