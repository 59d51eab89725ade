import { type AccountStatus, hasAccess } from "#domain/account.ts";

/** Permissions. The server's procedures enforce them; the browser uses them to draw its menus. */
export const isAdmin = (who: AccountStatus): boolean => who.role === "admin" && who.status === "active";
export const isStudent = (who: AccountStatus): boolean => who.role === "student" && who.status === "active";
export const isApprovedAgent = (who: AccountStatus): boolean =>
  who.role === "agent" && who.status === "approved";
export const isPendingAgent = (who: AccountStatus): boolean =>
  who.role === "agent" && who.status === "pending";

/** Whether an account has a profile to edit. */
export const mayHaveProfile = (who: AccountStatus): boolean => isStudent(who) || isApprovedAgent(who);

/** Staff: approved agents and admins. */
export const mayManageStudents = (who: AccountStatus): boolean => isApprovedAgent(who) || isAdmin(who);
/** A student as far as permissions go. */
export type AssignedStudent = { id: string; assignedAgentId: string | null };
/**
 * Whether somebody is the student's assigned agent or an admin. These see identity fields and files, review documents
 * and move applications.
 */
export const isResponsibleFor = (who: AccountStatus & { id: string }, student: AssignedStudent): boolean =>
  isAdmin(who) || (isApprovedAgent(who) && student.assignedAgentId === who.id);
export const maySeeIdentity = (who: AccountStatus & { id: string }, student: AssignedStudent): boolean =>
  (isStudent(who) && who.id === student.id) || isResponsibleFor(who, student);
/**
 * Whether somebody may assign a student: staff, but only the assigned agent or an admin when there is one
 * ("Assigning").
 */
export const mayAssign = (who: AccountStatus & { id: string }, student: AssignedStudent): boolean =>
  isAdmin(who) ||
  (isApprovedAgent(who) && (student.assignedAgentId === null || student.assignedAgentId === who.id));
/**
 * Whether somebody sees a student's applications and shortlist: the student, any approved agent and admins ("Who sees
 * what").
 */
export const mayFollow = (who: AccountStatus & { id: string }, studentId: string): boolean =>
  (isStudent(who) && who.id === studentId) || mayManageStudents(who);
export const maySeeShortlists = (who: AccountStatus): boolean => isStudent(who) || mayManageStudents(who);
/** Whether somebody may buy and sell: anyone signed in, even an agent who waits for approval. */
export const mayTrade = (who: AccountStatus): boolean => hasAccess(who);
