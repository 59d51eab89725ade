import { isInGoodStanding, type Standing } from "#domain/account.ts";

/** Who may do what. Asked by the server's procedures; the browser asks the same to draw its menus. */
export const isAdmin = (who: Standing): boolean => who.role === "admin" && who.status === "active";
export const isStudent = (who: Standing): boolean => who.role === "student" && who.status === "active";
export const isApprovedAgent = (who: Standing): boolean => who.role === "agent" && who.status === "approved";
export const isPendingAgent = (who: Standing): boolean => who.role === "agent" && who.status === "pending";

/** Approved agents and admins guide students (spec 6). */
export const mayManageStudents = (who: Standing): boolean => isApprovedAgent(who) || isAdmin(who);
export const maySeeShortlists = (who: Standing): boolean => isStudent(who) || mayManageStudents(who);
/** Anyone signed in, a waiting agent too (product decisions, "Who may trade"). */
export const mayTrade = (who: Standing): boolean => isInGoodStanding(who);
