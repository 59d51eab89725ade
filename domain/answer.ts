/** Something that is asked for, and what the student has instead: "writing", "6.0", "6.5". */
export type Shortfall = { what: string; has: string; asked: string };

/**
 * How a student's record answers a requirement. `missing` can still be met, as by taking a test again; `final` can't for
 * this start, such as an age. `notKnown` names what to enter; `met` by a table says by which; `needsPerson` says why
 * nobody can compare it by rule.
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

/** An answer that is not known may turn out well, so it stands before what is missing. */
const answerOrder: readonly Answer["kind"][] = ["met", "notKnown", "needsPerson", "missing"];

/** Returns the answer that says most for the student, of those that are as good the one with the fewest shortfalls. */
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
