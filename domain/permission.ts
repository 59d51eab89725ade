import { type AccountStatus, hasAccess } from "#domain/account.ts";

/** Who may do what. Asked by the server's procedures; the browser asks the same to draw its menus. */
export const isAdmin = (who: AccountStatus): boolean => who.role === "admin" && who.status === "active";
export const isStudent = (who: AccountStatus): boolean => who.role === "student" && who.status === "active";
export const isApprovedAgent = (who: AccountStatus): boolean =>
  who.role === "agent" && who.status === "approved";
export const isPendingAgent = (who: AccountStatus): boolean =>
  who.role === "agent" && who.status === "pending";

/** Whose profile there is to edit. */
export const mayHaveProfile = (who: AccountStatus): boolean => isStudent(who) || isApprovedAgent(who);

/** Staff: approved agents and admins. */
export const mayManageStudents = (who: AccountStatus): boolean => isApprovedAgent(who) || isAdmin(who);
/** A student as far as permissions go. */
export type AssignedStudent = { id: string; assignedAgentId: string | null };
/** The student's assigned agent, and admins: they see identity fields and files, review documents, move applications. */
export const isResponsibleFor = (who: AccountStatus & { id: string }, student: AssignedStudent): boolean =>
  isAdmin(who) || (isApprovedAgent(who) && student.assignedAgentId === who.id);
export const maySeeIdentity = (who: AccountStatus & { id: string }, student: AssignedStudent): boolean =>
  (isStudent(who) && who.id === student.id) || isResponsibleFor(who, student);
/** Anyone who may assign at all; an assigned student only by the assigned agent or an admin ("Assigning"). */
export const mayAssign = (who: AccountStatus & { id: string }, student: AssignedStudent): boolean =>
  isAdmin(who) ||
  (isApprovedAgent(who) && (student.assignedAgentId === null || student.assignedAgentId === who.id));
/** Who sees a student's applications and shortlist: the student, any approved agent and admins ("Who sees what"). */
export const mayFollow = (who: AccountStatus & { id: string }, studentId: string): boolean =>
  (isStudent(who) && who.id === studentId) || mayManageStudents(who);
export const maySeeShortlists = (who: AccountStatus): boolean => isStudent(who) || mayManageStudents(who);
/** Anyone signed in, a waiting agent too. */
export const mayTrade = (who: AccountStatus): boolean => hasAccess(who);
