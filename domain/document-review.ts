import { type DocumentState, documentLimits } from "#domain/document.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";

/** Decisions of an agent or admin about a document. */
export const reviewDecisions = ["approved", "rejected"] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/** A document's current state, and the one that the reviewer saw. `isGone`: no longer in its slot. */
export type DocumentUnderReview = { state: DocumentState; seen: DocumentState; isGone: boolean };

/** `conflict`: the document was replaced, moved or reviewed by another user meanwhile, or has this decision already. */
export type ReviewOutcome =
  | { kind: "becomes"; state: ReviewDecision; reason: string }
  | { kind: "problem"; problem: Problem<"reason"> }
  | { kind: "conflict" };

/** Returns what is wrong with the reason for a rejection, or null. */
export const reasonProblem = (reason: string): Problem<"reason"> | null =>
  reason.trim() === ""
    ? wrong("reason", "Please enter a reason.")
    : tooLong("reason", "The reason", reason, documentLimits.reason);

/** Decides a review: uploaded → approved or rejected, and from one to the other to correct a mistake. */
export function decideReview(
  decision: ReviewDecision,
  document: DocumentUnderReview,
  reason: string,
): ReviewOutcome {
  const problem = decision === "rejected" ? reasonProblem(reason) : null;
  if (problem) return { kind: "problem", problem };
  const { state, seen, isGone } = document;
  if (isGone || state !== seen || state === decision) return { kind: "conflict" };
  return { kind: "becomes", state: decision, reason: decision === "rejected" ? reason.trim() : "" };
}
