/** A broken promise: `rule` names the promise, `detail` describes the violation. */
export type Violation = { rule: string; detail: string };
/** The result of a scenario. `figures` are for people to read. */
export type Outcome = { violations: Violation[]; figures: string };

/** Lists only the first few, so that the output of a broken run stays readable. */
export const listOf = (violations: readonly Violation[]): string =>
  violations
    .slice(0, 5)
    .map(({ rule, detail }) => `  ${rule}: ${detail}`)
    .join("\n");
