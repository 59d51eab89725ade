/** From worse to better; what is `low` is shown and does no harm to the run. */
export const severities = ["high", "medium", "low"] as const;
export type Severity = (typeof severities)[number];

/** What a scanner found: `tool` says which, `role` as whom it was signed in, `where` the address. */
export type Finding = { severity: Severity; tool: string; role: string; what: string; where: string };

/** What a scanner came to; `skipped` is why it did not run. */
export type Scanned = { findings: Finding[]; figures: string; skipped?: string };

export const failsRun = ({ severity }: Finding): boolean => severity !== "low";
