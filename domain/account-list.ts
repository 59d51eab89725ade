import { limits, type Role, type Status } from "#domain/account.ts";

/** The states that accounts of each role can have. */
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

/** Most characters of a search for accounts: a whole email address. */
export const accountSearchLimit = limits.email;
