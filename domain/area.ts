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

/** The parts of the site by who may enter them. */
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
 * `login`: a visitor must log in. `home`: sent to their own dashboard. `secure`: sent to set up a second factor.
 * `unauthorized`: sees that they may not enter, then goes to /.
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

/** Whether somebody (null: nobody signed in) may enter an area, and what happens instead. */
export function entry(area: Area, who: Entrant | null): Entry {
  if (who === null) return area === "visitor" ? "enter" : "login";
  if (who.lacksSecondFactor && area !== "security") return "secure";
  if (admits[area](who)) return "enter";
  return area === "admin" ? "unauthorized" : "home";
}

/** A path of our own, never another site's, that is not itself on the way to a login. */
export const nextPattern = /^\/(?![/\\]|login|signup|reset-password|verify-email)[^\s\\]*$/;

/** The address to go on to after login; null if it isn't safe. */
export const safeNext = (next: string | null): string | null =>
  next !== null && next.length <= limits.next && nextPattern.test(next) ? next : null;

export const isArea = (name: string): name is Area => Object.hasOwn(admits, name);
