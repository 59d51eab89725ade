/** Rules by which the nightly job removes data, in the order in which admins see them. */
export const retentionRules = [
  "deletionAsked",
  "withdrawnStudents",
  "deniedAgents",
  "notifications",
  "auditLog",
] as const;
export type RetentionRule = (typeof retentionRules)[number];

/** Days ahead that admins see what will be removed. */
export const retentionOutlookDays = 30;

/** Days after which each rule removes something, as the configuration has it; null keeps it for good. */
export type RetentionDays = Readonly<
  Record<Exclude<RetentionRule, "deletionAsked" | "auditLog">, number | null>
>;
