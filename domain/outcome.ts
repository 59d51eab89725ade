/** The outcomes of a whole programme, from the best. `gap`: one requirement is missing, and it can still be met. */
export const outcomes = ["mayEnter", "gap", "notKnown", "no"] as const;
export type Outcome = (typeof outcomes)[number];
