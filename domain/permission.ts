import { type AccountStatus, hasAccess } from "#domain/account.ts";

/**
 * Permissions. The server's procedures enforce them; the browser uses them to draw its menus. Who may make which call is
 * the table `tests/access/access-table.ts`.
 */
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
/** Whether somebody may invite people as students or as agents. */
export const mayInvite = (who: AccountStatus, as: "student" | "agent"): boolean =>
  as === "agent" ? isAdmin(who) : mayManageStudents(who);
/** A student as far as permissions go. */
export type AssignedStudent = { id: string; assignedAgentId: string | null };
/** A student with the moment since which they keep their papers from the assigned agent; null while they share them. */
export type SharingStudent = AssignedStudent & { sharingStoppedAt: Date | null };
/** Whether somebody is the student's assigned agent or an admin. These act on the student's applications. */
export const isResponsibleFor = (who: AccountStatus & { id: string }, student: AssignedStudent): boolean =>
  isAdmin(who) || (isApprovedAgent(who) && student.assignedAgentId === who.id);
/**
 * Whether somebody sees a student's papers, which are the identity fields and files, and reviews them: an admin, or the
 * assigned agent unless the student has stopped sharing with that agent ("Stop sharing").
 */
export const maySeePapers = (who: AccountStatus & { id: string }, student: SharingStudent): boolean =>
  isAdmin(who) || (isResponsibleFor(who, student) && student.sharingStoppedAt === null);
/**
 * Whether somebody may fill in a student's profile and upload in the student's place: the assigned agent, while the
 * student shares their papers ("On behalf").
 */
export const mayActOnBehalf = (who: AccountStatus & { id: string }, student: SharingStudent): boolean =>
  isApprovedAgent(who) && maySeePapers(who, student);
/** Whether somebody sees identity fields and files: the student, or who may see the student's papers. */
export const maySeeIdentity = (who: AccountStatus & { id: string }, student: SharingStudent): boolean =>
  (isStudent(who) && who.id === student.id) || maySeePapers(who, student);
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
/** Whether somebody takes part in guiding students: a student, an approved agent or an admin. */
export const isStudentOrStaff = (who: AccountStatus): boolean => isStudent(who) || mayManageStudents(who);
/** Whether somebody may buy and sell: anyone signed in, even an agent who waits for approval. */
export const mayTrade = (who: AccountStatus): boolean => hasAccess(who);
