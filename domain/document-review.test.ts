import { describe, expect, test } from "vitest";
import { documentStates } from "./document.ts";
import { decideReview, reasonProblem, reviewDecisions } from "./document-review.ts";

const fresh = { state: "uploaded", seen: "uploaded", isGone: false } as const;

test("an uploaded document is approved, or rejected with its reason", () => {
  expect(decideReview("approved", fresh, "ignored")).toEqual({
    kind: "becomes",
    state: "approved",
    reason: "",
  });
  expect(decideReview("rejected", fresh, "  Too dark. ")).toEqual({
    kind: "becomes",
    state: "rejected",
    reason: "Too dark.",
  });
});

test("a decision can be reversed", () => {
  const approved = { state: "approved", seen: "approved", isGone: false } as const;
  expect(decideReview("rejected", approved, "Wrong year")).toMatchObject({ state: "rejected" });
  const rejected = { state: "rejected", seen: "rejected", isGone: false } as const;
  expect(decideReview("approved", rejected, "")).toMatchObject({ state: "approved" });
});

describe("a review is refused", () => {
  test.each(reviewDecisions)("as %s, once the document is no longer in its slot", (decision) => {
    expect(decideReview(decision, { ...fresh, isGone: true }, "why").kind).toBe("conflict");
  });

  test("if the reviewer saw another state, or the document has this state already", () => {
    for (const state of documentStates)
      for (const seenState of documentStates)
        for (const decision of reviewDecisions) {
          const may = state === seenState && state !== decision;
          const { kind } = decideReview(decision, { state, seen: seenState, isGone: false }, "why");
          expect(kind, `${decision}: ${state} seen as ${seenState}`).toBe(may ? "becomes" : "conflict");
        }
  });
});

test("a rejection needs a reason, which has a maximum length", () => {
  expect(decideReview("rejected", fresh, " \n")).toMatchObject({
    kind: "problem",
    problem: { code: "form/incomplete", field: "reason", message: "Please enter a reason." },
  });
  expect(decideReview("rejected", fresh, "x".repeat(501)).kind).toBe("problem");
  expect(reasonProblem("x".repeat(500))).toBeNull();
});
