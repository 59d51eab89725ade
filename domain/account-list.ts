import { limits, type Role, type Status } from "#domain/account.ts";

/** The states that accounts of a role can be in. */
export const statusesOf: Record<Role, readonly Status[]> = {
  student: ["active", "disabled", "leaving"],
  agent: ["pending", "approved", "revoked", "disabled", "leaving"],
  admin: ["active", "disabled"],
};

export const roleLabels: Record<Role, string> = { student: "Student", agent: "Agent", admin: "Admin" };
export const statusLabels: Record<Status, string> = {
  active: "Active",
  disabled: "Disabled",
  leaving: "Leaving",
  pending: "Pending",
  approved: "Approved",
  revoked: "Revoked",
};

/** Longest text to search accounts for, in characters: a whole email address. */
export const accountSearchLimit = limits.email;
