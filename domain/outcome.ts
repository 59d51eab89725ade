/** The outcomes of a whole programme, from the best. `gap`: one requirement is missing, and it can still be met. */
export const outcomes = ["mayEnter", "gap", "notKnown", "no"] as const;
export type Outcome = (typeof outcomes)[number];

/** Returns the best of the sets' outcomes. Of a programme without any, nothing is known. */
export function programmeOutcome(sets: readonly Outcome[]): Outcome {
  return outcomes.find((outcome) => sets.includes(outcome)) ?? "notKnown";
}
