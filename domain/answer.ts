/** A requirement that isn't met, with what the student has and what is required: "writing", "6.0", "6.5". */
export type Shortfall = { what: string; has: string; asked: string };

/**
 * How a student's record meets a requirement. `missing` can still be met, for example by repeating a test, unless it is
 * `final` for this start, such as an age. `notKnown` names what to enter, `met` the table that it is met by, if any,
 * and `needsPerson` says why no rule can compare it.
 */
export type Answer =
  | { kind: "met"; why?: string | undefined }
  | { kind: "missing"; shortfalls: readonly Shortfall[]; final: boolean }
  | { kind: "notKnown"; enter: string }
  | { kind: "needsPerson"; why: string };

export const met: Answer = { kind: "met" };
export const missing = (shortfalls: readonly Shortfall[], final = false): Answer => ({
  kind: "missing",
  shortfalls,
  final,
});
export const notKnown = (enter: string): Answer => ({ kind: "notKnown", enter });
export const needsPerson = (why: string): Answer => ({ kind: "needsPerson", why });

/** From best to worst. An answer that is not known may turn out well, so it ranks above a missing one. */
const answerOrder: readonly Answer["kind"][] = ["met", "notKnown", "needsPerson", "missing"];

/** Returns the best answer for the student, among equals that with the fewest shortfalls, or `none` without answers. */
export function best(answers: readonly Answer[], none: Answer): Answer {
  const rank = ({ kind }: Answer) => answerOrder.indexOf(kind);
  const [first, ...others] = answers;
  if (first === undefined) return none;
  return others.reduce((better, answer) => {
    if (rank(answer) !== rank(better)) return rank(answer) < rank(better) ? answer : better;
    if (answer.kind !== "missing" || better.kind !== "missing") return better;
    return answer.shortfalls.length < better.shortfalls.length ? answer : better;
  }, first);
}
