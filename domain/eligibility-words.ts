import type { Answer, Shortfall } from "#domain/answer.ts";
import type { AnsweredSet } from "#domain/eligibility.ts";
import type { Outcome } from "#domain/outcome.ts";

/** Describes a shortfall: "writing 6.0, asked 6.5". */
export const shortfallWords = ({ what, has, asked }: Shortfall): string =>
  has === "" ? `${what}: none, asked ${asked}` : `${what} ${has}, asked ${asked}`;

/** Describes an answer that isn't met. Returns an empty text for one that is. */
export function answerWords(answer: Answer): string {
  switch (answer.kind) {
    case "met":
      return "";
    case "missing":
      return answer.shortfalls.map(shortfallWords).join("; ");
    case "notKnown":
      return `To enter: ${answer.enter}`;
    case "needsPerson":
      return answer.why;
  }
}

/** Unknown requirements come first, since they make a set unknown. Facts to enter come before texts to read. */
const order: readonly Answer["kind"][] = ["notKnown", "needsPerson", "missing", "met"];

/**
 * Says why a programme has its outcome, by the first set with that outcome: the one gap, the first fact to enter or
 * text to read, or everything that is missing. Empty for a programme that the student may enter.
 */
export function outcomeReason(outcome: Outcome, sets: readonly AnsweredSet[]): string {
  if (outcome === "mayEnter") return "";
  const set = sets.find((each) => each.outcome === outcome);
  if (!set) return "Its entry requirements are not in the catalogue.";
  const answers = set.answers.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  if (outcome !== "no") return answers[0] ? answerWords(answers[0]) : "";
  return answers
    .filter(({ kind }) => kind === "missing")
    .map(answerWords)
    .join("; ");
}
