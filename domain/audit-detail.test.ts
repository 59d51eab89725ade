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
  [{ fields: "passportNumber, city" }, "Changed: Passport number, City"],
  [{ outcome: "sold", winningBid: "22000" }, "Outcome: Sold · Winning bid: R220.00"],
  [{ unheard: "of", empty: "" }, "unheard: of"],
])("%j reads as %s", (detail, words) => {
  expect(auditDetailInWords(detail, { "92f0": "Siobhán O’Brien" })).toBe(words);
});
