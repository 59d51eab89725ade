import { isInGoodStanding, type Standing } from "#domain/account.ts";

/** Who may do what. Asked by the server's procedures; the browser asks the same to draw its menus. */
export const isAdmin = (who: Standing): boolean => who.role === "admin" && who.status === "active";
export const isStudent = (who: Standing): boolean => who.role === "student" && who.status === "active";
export const isApprovedAgent = (who: Standing): boolean => who.role === "agent" && who.status === "approved";
export const isPendingAgent = (who: Standing): boolean => who.role === "agent" && who.status === "pending";

/** Whose profile there is to edit. */
export const mayHaveProfile = (who: Standing): boolean => isStudent(who) || isApprovedAgent(who);

/** Staff: approved agents and admins. */
export const mayManageStudents = (who: Standing): boolean => isApprovedAgent(who) || isAdmin(who);
/** A student as far as permissions go. */
export type AssignedStudent = { id: string; assignedAgentId: string | null };
/** The student's assigned agent, and admins: they see identity fields and files, review documents, move applications. */
export const isResponsibleFor = (who: Standing & { id: string }, student: AssignedStudent): boolean =>
  isAdmin(who) || (isApprovedAgent(who) && student.assignedAgentId === who.id);
export const maySeeIdentity = (who: Standing & { id: string }, student: AssignedStudent): boolean =>
  (isStudent(who) && who.id === student.id) || isResponsibleFor(who, student);
/** Anyone who may assign at all; an assigned student only by the assigned agent or an admin ("Assigning"). */
export const mayAssign = (who: Standing & { id: string }, student: AssignedStudent): boolean =>
  isAdmin(who) ||
  (isApprovedAgent(who) && (student.assignedAgentId === null || student.assignedAgentId === who.id));
/** Who sees a student's applications and shortlist: the student, any approved agent and admins ("Who sees what"). */
export const mayFollow = (who: Standing & { id: string }, studentId: string): boolean =>
  (isStudent(who) && who.id === studentId) || mayManageStudents(who);
export const maySeeShortlists = (who: Standing): boolean => isStudent(who) || mayManageStudents(who);
/** Anyone signed in, a waiting agent too. */
export const mayTrade = (who: Standing): boolean => isInGoodStanding(who);
