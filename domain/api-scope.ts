import type { Role } from "./account.ts";

/** Scopes of API keys: each lets a key read or change one part of Wayfare. A test compares them with the contract. */
export const apiScopes = [
  "accounts:read",
  "accounts:write",
  "agents:read",
  "agents:write",
  "applications:read",
  "applications:write",
  "auctions:read",
  "auctions:write",
  "audit:read",
  "bulkRuns:read",
  "bulkRuns:write",
  "conversations:read",
  "conversations:write",
  "documents:read",
  "documents:write",
  "duplicates:read",
  "duplicates:write",
  "invitations:read",
  "invitations:write",
  "jobs:read",
  "jobs:write",
  "notes:read",
  "notes:write",
  "notifications:read",
  "notifications:write",
  "offers:read",
  "offers:write",
  "overview:read",
  "planner:read",
  "planner:write",
  "programmes:read",
  "reports:read",
  "retention:read",
  "sales:read",
  "sales:write",
  "savedViews:read",
  "savedViews:write",
  "shortlist:read",
  "shortlist:write",
  "students:read",
  "students:write",
  "tradeReports:read",
  "tradeReports:write",
  "watching:read",
  "watching:write",
] as const;
export type ApiScope = (typeof apiScopes)[number];

export const isApiScope = (text: string): text is ApiScope => apiScopes.some((each) => each === text);

const adminsOnly: ReadonlySet<string> = new Set([
  "accounts",
  "agents",
  "audit",
  "duplicates",
  "jobs",
  "overview",
  "reports",
  "tradeReports",
  "retention",
]);

/** The roles that can have API keys. */
export const keyRoles = ["agent", "admin"] as const satisfies readonly Role[];
export type KeyRole = (typeof keyRoles)[number];

/** Returns the scopes that a key of this role can have. No scope grants anything that the role itself may not do. */
export function scopesOf(role: Role): readonly ApiScope[] {
  if (role === "admin") return apiScopes;
  if (role !== "agent") return [];
  return apiScopes.filter((scope) => !adminsOnly.has(scope.replace(/:.*/, "")));
}
