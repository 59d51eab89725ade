import type { AccountStatus } from "#domain/account.ts";
import type { StudentFilter, StudentSituation } from "#domain/student-list.ts";

/** Where somebody belongs after login and sign-up. */
export function homePath(who: AccountStatus): string {
  if (who.role === "admin") return "/admin-dashboard";
  if (who.role === "student") return "/student-dashboard";
  return who.status === "pending" ? "/agent-pending" : "/agent-dashboard";
}

/** Where people look after how they log in, and set up what their account needs. */
export const securityPath = "/security";

/** The address of a product's page. */
export const productPath = (id: string): string => `/product/${id}`;

type StudentsView = { situation: StudentSituation; filter?: StudentFilter };

/** Manage Students with those alone who are in a situation. */
export const studentsPath = (view: StudentsView): string =>
  `/manage-students?${new URLSearchParams(view).toString()}`;

/** Where an agent finds one of their students, with the row open; `show` opens what there is to do. */
export const studentPath = ({ id, name }: { id: string; name: string }, show?: "applications"): string =>
  `/manage-students?${new URLSearchParams({ filter: "mine", search: name, student: id, ...(show && { show }) }).toString()}`;
