import { type AccountStatus, limits } from "#domain/account.ts";
import {
  isAdmin,
  isApprovedAgent,
  isPendingAgent,
  isStudent,
  isStudentOrStaff,
  mayManageStudents,
  mayTrade,
} from "#domain/permission.ts";

/** Parts of the site, by the users who may enter them. */
export type Area =
  | "visitor"
  | "signedIn"
  | "security"
  | "student"
  | "approvedAgent"
  | "waitingAgent"
  | "manageStudents"
  | "studentOrStaff"
  | "admin";

/**
 * `login`: a visitor must log in. `home`: redirected to their own dashboard. `secure`: redirected to set up a second
 * factor. `unauthorized`: told that they may not enter, then redirected to /.
 */
export type Entry = "enter" | "login" | "home" | "secure" | "unauthorized";

type Entrant = AccountStatus & { lacksSecondFactor: boolean };

const admits: Record<Area, (who: AccountStatus) => boolean> = {
  visitor: () => false,
  signedIn: mayTrade,
  security: mayTrade,
  student: isStudent,
  approvedAgent: isApprovedAgent,
  waitingAgent: isPendingAgent,
  manageStudents: mayManageStudents,
  studentOrStaff: isStudentOrStaff,
  admin: isAdmin,
};

/** Decides whether a user may enter an area, and what happens otherwise. `who` is null for a visitor. */
export function entry(area: Area, who: Entrant | null): Entry {
  if (who === null) return area === "visitor" ? "enter" : "login";
  if (who.lacksSecondFactor && area !== "security") return "secure";
  if (admits[area](who)) return "enter";
  return area === "admin" ? "unauthorized" : "home";
}

/** Matches paths of this site, except those of the login itself. */
export const nextPattern = /^\/(?![/\\]|login|signup|reset-password|verify-email)[^\s\\]*$/;

/** Returns the address to continue to after login, or null if it isn't safe. */
export const safeNext = (next: string | null): string | null =>
  next !== null && next.length <= limits.next && nextPattern.test(next) ? next : null;

export const isArea = (name: string): name is Area => Object.hasOwn(admits, name);
