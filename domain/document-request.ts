import { type DocumentKind, documentKinds, documentLabel } from "#domain/document.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import { nameProblem } from "#domain/single-line.ts";

/** A student is asked for one of the six documents, or for another paper by its name. */
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

/** Longest texts in characters; requests that go out at once; open ones and all that one student can have. */
export const requestLimits = { name: 80, reason: 500, perCall: 10, perStudent: 300 } as const;

/** Names a request as everybody reads it. */
export const requestTitle = ({ kind, name }: { kind: RequestKind; name: string }): string =>
  kind === "other" ? name : documentLabel[kind];

type Wish = { kind: RequestKind; name: string; reason: string };

/** The request's texts as they are stored, or the first thing wrong with them. */
export function checkRequest({ kind, name, reason }: Wish): Wish | Problem<"name" | "reason"> {
  const trimmed = kind === "other" ? name.trim() : "";
  const text = reason.trim();
  if (kind === "other" && trimmed === "") return wrong("name", "Please enter what you need.");
  // The name stands in the subjects of emails.
  const unfit = kind === "other" ? nameProblem(trimmed, "Name") : null;
  const problem =
    tooLong("name", "The name", trimmed, requestLimits.name) ??
    (unfit === null ? null : wrong("name", unfit)) ??
    tooLong("reason", "The reason", text, requestLimits.reason);
  return problem ?? { kind, name: trimmed, reason: text };
}

/** Says why a request can't block: only an application can wait for it. */
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

/** `conflict`: the request is in no state for this decision, or its file is reviewed as a document. */
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

/** The state of a request for one of the six documents after its slot has changed; null: it stays. */
export function followDocument(
  state: RequestState,
  document: "uploaded" | "approved" | "rejected" | "gone",
): Exclude<RequestState, "cancelled"> | null {
  if (document === "uploaded") return isWanted(state) ? "supplied" : null;
  if (state !== "supplied") return null;
  const next = { approved: "accepted", rejected: "sentBack", gone: "asked" } as const;
  return next[document];
}
