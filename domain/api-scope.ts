import type { Role } from "./account.ts";

/** Scopes of API keys: each lets a key read or change one part of Wayfare. A test compares them with the contract. */
export const apiScopes = [
  "accounts:read",
  "agents:read",
  "agents:write",
  "applications:read",
  "applications:write",
  "auctions:read",
  "auctions:write",
  "audit:read",
  "documents:read",
  "documents:write",
  "jobs:read",
  "jobs:write",
  "notifications:read",
  "notifications:write",
  "overview:read",
  "retention:read",
  "shortlist:read",
  "shortlist:write",
  "students:read",
  "students:write",
] as const;
export type ApiScope = (typeof apiScopes)[number];

export const isApiScope = (text: string): text is ApiScope => apiScopes.some((each) => each === text);

const adminsOnly: ReadonlySet<string> = new Set([
  "accounts",
  "agents",
  "audit",
  "jobs",
  "overview",
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
