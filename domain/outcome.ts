/** Outcomes of a whole programme, the best first. `gap`: one requirement is missing, and it can still be met. */
export const outcomes = ["mayEnter", "gap", "notKnown", "no"] as const;
export type Outcome = (typeof outcomes)[number];

/** Returns the best of the sets' outcomes. The outcome of a programme without sets is not known. */
export function programmeOutcome(sets: readonly Outcome[]): Outcome {
  return outcomes.find((outcome) => sets.includes(outcome)) ?? "notKnown";
}
