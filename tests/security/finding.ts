/** Severities from worst to best; a `low` finding is shown, but doesn't fail the run. */
export const severities = ["high", "medium", "low"] as const;
export type Severity = (typeof severities)[number];

/** A problem that a scanner reported: `role` is the signed-in role, `where` the address. */
export type Finding = { severity: Severity; tool: string; role: string; what: string; where: string };

/** The result of a scanner; `skipped` says why it did not run. */
export type ScanResult = { findings: Finding[]; figures: string; skipped?: string };

export const failsRun = ({ severity }: Finding): boolean => severity !== "low";
