import type { AccountStatus } from "#domain/account.ts";
import type { StudentFilter, StudentSituation } from "#domain/student-list.ts";

/** Returns the page that somebody is sent to after login and sign-up. */
export function homePath(who: AccountStatus): string {
  if (who.role === "admin") return "/admin-dashboard";
  if (who.role === "student") return "/student-dashboard";
  return who.status === "pending" ? "/agent-pending" : "/agent-dashboard";
}

/** The page where people change how they log in, and set up what their account needs. */
export const securityPath = "/security";

/** The address of a product's page. */
export const productPath = (id: string): string => `/product/${id}`;

/** The address at which GET answers `auctions.product`. */
export const productStatePath = (id: string): string => `/auctions/products/${id}`;

type StudentsView = { situation: StudentSituation; filter?: StudentFilter };

/** The address of Manage Students, filtered to students in a situation. */
export const studentsPath = (view: StudentsView): string =>
  `/manage-students?${new URLSearchParams(view).toString()}`;

/** The address at which an agent sees one of their students, with the row open. `show` opens a part of it. */
export const studentPath = ({ id, name }: { id: string; name: string }, show?: "applications"): string =>
  `/manage-students?${new URLSearchParams({ filter: "mine", search: name, student: id, ...(show && { show }) }).toString()}`;
