import type { Outcome } from "#domain/outcome.ts";

/** Outcomes for which students are listed as fitting a programme, with their labels. */
export const fitOutcomeLabels = { mayEnter: "May enter", gap: "One gap" } as const satisfies Partial<
  Record<Outcome, string>
>;
export const fitOutcomes = ["mayEnter", "gap"] as const satisfies readonly Outcome[];
export type FitOutcome = (typeof fitOutcomes)[number];
export const isFitOutcome = (outcome: string): outcome is FitOutcome =>
  fitOutcomes.some((each) => each === outcome);

/** The outcome that a student is listed for. `reason`: the one gap in words; empty for a student who may enter. */
export type Fit = { outcome: FitOutcome; reason: string };

/** Most students who are compared with one programme. */
export const maxCompared = 20_000;

/** The number of students with each outcome; `noRecord`: those who have entered nothing. */
export type FitCounts = Record<Outcome | "noRecord", number>;

const formatted = (number: number) => number.toLocaleString("en");

/** Says how many students fit a programme, and for how many that isn't known. */
export function fitCountsWords({ mayEnter, gap, notKnown, no, noRecord }: FitCounts): string {
  const unknown = notKnown + noRecord;
  const empty = noRecord === 0 ? "" : ` (${formatted(noRecord)} of them without a record)`;
  return [
    `${formatted(mayEnter)} may enter`,
    `${formatted(gap)} with one gap`,
    `${formatted(unknown)} not known${empty}`,
    `${formatted(no)} may not enter`,
  ].join(" · ");
}
