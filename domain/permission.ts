import { isInGoodStanding, type Standing } from "#domain/account.ts";

/** Who may do what. Asked by the server's procedures; the browser asks the same to draw its menus. */
export const isAdmin = (who: Standing): boolean => who.role === "admin" && who.status === "active";
export const isStudent = (who: Standing): boolean => who.role === "student" && who.status === "active";
export const isApprovedAgent = (who: Standing): boolean => who.role === "agent" && who.status === "approved";
export const isPendingAgent = (who: Standing): boolean => who.role === "agent" && who.status === "pending";

/** Whose profile there is to edit. */
export const mayHaveProfile = (who: Standing): boolean => isStudent(who) || isApprovedAgent(who);

/** Approved agents and admins guide students. */
export const mayManageStudents = (who: Standing): boolean => isApprovedAgent(who) || isAdmin(who);
/** A student as far as permissions go: who they are and who guides them. */
export type Guided = { id: string; assignedAgentId: string | null };
/** Who sees a student's identity fields and files, reviews documents and moves applications (product, "Who sees what"). */
export const guides = (who: Standing & { id: string }, student: Guided): boolean =>
  isAdmin(who) || (isApprovedAgent(who) && student.assignedAgentId === who.id);
export const maySeeIdentity = (who: Standing & { id: string }, student: Guided): boolean =>
  (isStudent(who) && who.id === student.id) || guides(who, student);
/** Anyone who may assign at all; an assigned student only by the assigned agent or an admin ("Assigning"). */
export const mayAssign = (who: Standing & { id: string }, student: Guided): boolean =>
  isAdmin(who) ||
  (isApprovedAgent(who) && (student.assignedAgentId === null || student.assignedAgentId === who.id));
/** Who sees a student's applications and shortlist: the student, any approved agent and admins ("Who sees what"). */
export const mayFollow = (who: Standing & { id: string }, studentId: string): boolean =>
  (isStudent(who) && who.id === studentId) || mayManageStudents(who);
export const maySeeShortlists = (who: Standing): boolean => isStudent(who) || mayManageStudents(who);
/** Anyone signed in, a waiting agent too. */
export const mayTrade = (who: Standing): boolean => isInGoodStanding(who);
