import { expect, test } from "vitest";
import { auditDetailInWords } from "./audit-detail.ts";

test.each([
  [{ from: "submitted", to: "inReview" }, "From: Submitted · To: In review"],
  [{ kind: "recommendation2" }, "What: Recommendation 2"],
  [{ agent: "92f0", former: "gone" }, "New agent: Siobhán O’Brien · Former agent: gone"],
  [
    { refusal: "auth/invalid-credential" },
    "Answer: Invalid credentials. Please check your email and password.",
  ],
  [
    { document: "7f", from: "recommendation1", to: "cv", swapped: "8a" },
    "Document: 7f · From: Recommendation 1 · To: CV · Swapped with: 8a",
  ],
  [{ task: "1c", state: "done" }, "Task: 1c · State: Done"],
  [{ decision: "2d", verdict: "same" }, "Decision: 2d · Verdict: One person"],
  [{ act: "move", run: "3e", rows: "12" }, "Act: Applications moved on · Run: 3e · Rows: 12"],
  [{ request: "4f", kind: "other" }, "Request: 4f · What: other"],
  [{ fields: "passportNumber, city" }, "Changed: Passport number, City"],
  [{ outcome: "sold", winningBid: "22000" }, "Outcome: Sold · Winning bid: R220.00"],
  [{ unheard: "of", empty: "" }, "unheard: of"],
])("%j reads as %s", (detail, words) => {
  expect(auditDetailInWords(detail, { "92f0": "Siobhán O’Brien" })).toBe(words);
});
