import type { Violation } from "#tests/history/operation.ts";

/** The result of a scenario. `figures` are for people to read. */
export type Outcome = { violations: Violation[]; figures: string };

/** The first few, so that a run that goes wrong everywhere stays readable. */
export const shown = (violations: readonly Violation[]): string =>
  violations
    .slice(0, 5)
    .map(({ rule, detail }) => `  ${rule}: ${detail}`)
    .join("\n");
