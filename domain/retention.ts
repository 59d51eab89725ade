/** Rules by which the nightly job removes data, in the order in which admins see them. */
export const retentionRules = [
  "deletionAsked",
  "withdrawnStudents",
  "deniedAgents",
  "notifications",
  "auditLog",
] as const;
export type RetentionRule = (typeof retentionRules)[number];

/** Days in advance for which admins see what will be removed. */
export const retentionOutlookDays = 30;

/** Configured days after which each rule removes something; null means never. */
export type RetentionDays = Readonly<
  Record<Exclude<RetentionRule, "deletionAsked" | "auditLog">, number | null>
>;
