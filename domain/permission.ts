import { type AccountStatus, hasAccess } from "#domain/account.ts";

/**
 * Permissions. The server's procedures enforce them; the browser uses them for its menus. The table
 * `tests/access/access-table.ts` lists who may make which call.
 */
export const isAdmin = (who: AccountStatus): boolean => who.role === "admin" && who.status === "active";
export const isStudent = (who: AccountStatus): boolean => who.role === "student" && who.status === "active";
export const isApprovedAgent = (who: AccountStatus): boolean =>
  who.role === "agent" && who.status === "approved";
export const isPendingAgent = (who: AccountStatus): boolean =>
  who.role === "agent" && who.status === "pending";

/** Whether an account has a profile to edit. */
export const mayHaveProfile = (who: AccountStatus): boolean => isStudent(who) || isApprovedAgent(who);

/** Whether a user is staff: an approved agent or an admin. */
export const mayManageStudents = (who: AccountStatus): boolean => isApprovedAgent(who) || isAdmin(who);
/** Whether a user may invite people as students or as agents. */
export const mayInvite = (who: AccountStatus, as: "student" | "agent"): boolean =>
  as === "agent" ? isAdmin(who) : mayManageStudents(who);
/** The part of a student that permissions depend on. */
export type AssignedStudent = { id: string; assignedAgentId: string | null };
/** A student with the time at which they stopped sharing their papers with the assigned agent, or null. */
export type SharingStudent = AssignedStudent & { sharingStoppedAt: Date | null };
/** Whether a user is the student's assigned agent or an admin, who act on the student's applications. */
export const isResponsibleFor = (who: AccountStatus & { id: string }, student: AssignedStudent): boolean =>
  isAdmin(who) || (isApprovedAgent(who) && student.assignedAgentId === who.id);
/**
 * Whether a user may see and review a student's papers, which are the identity fields and files: an admin, or the
 * assigned agent unless the student has stopped sharing with that agent ("Stop sharing").
 */
export const maySeePapers = (who: AccountStatus & { id: string }, student: SharingStudent): boolean =>
  isAdmin(who) || (isResponsibleFor(who, student) && student.sharingStoppedAt === null);
/**
 * Whether a user may fill in a student's profile and upload files on the student's behalf: the assigned agent, while
 * the student shares their papers ("On behalf").
 */
export const mayActOnBehalf = (who: AccountStatus & { id: string }, student: SharingStudent): boolean =>
  isApprovedAgent(who) && maySeePapers(who, student);
/** Whether a user may see identity fields and files: the student, or a user who may see the student's papers. */
export const maySeeIdentity = (who: AccountStatus & { id: string }, student: SharingStudent): boolean =>
  (isStudent(who) && who.id === student.id) || maySeePapers(who, student);
/** Whether a user may assign a student: staff, but only the assigned agent, if any, or an admin ("Assigning"). */
export const mayAssign = (who: AccountStatus & { id: string }, student: AssignedStudent): boolean =>
  isAdmin(who) ||
  (isApprovedAgent(who) && (student.assignedAgentId === null || student.assignedAgentId === who.id));
/** Whether a user may see a student's applications and shortlist: the student and all staff ("Who sees what"). */
export const mayFollow = (who: AccountStatus & { id: string }, studentId: string): boolean =>
  (isStudent(who) && who.id === studentId) || mayManageStudents(who);
export const isStudentOrStaff = (who: AccountStatus): boolean => isStudent(who) || mayManageStudents(who);
/** Whether a user may buy and sell: every signed-in user, even an agent who waits for approval. */
export const mayTrade = (who: AccountStatus): boolean => hasAccess(who);
