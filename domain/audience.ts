import type { AccountStatus } from "./account.ts";
import {
  isAdmin,
  isApprovedAgent,
  isStudent,
  isStudentOrStaff,
  mayHaveProfile,
  mayManageStudents,
} from "./permission.ts";

const members = {
  signedIn: () => true,
  student: isStudent,
  approvedAgent: isApprovedAgent,
  profileHolder: mayHaveProfile,
  staff: mayManageStudents,
  studentOrStaff: isStudentOrStaff,
  admin: isAdmin,
} satisfies Record<string, (account: AccountStatus) => boolean>;

/** Audiences of procedures that need a signed-in user. */
export type AccountAudience = keyof typeof members;
/** The people who may call a procedure; the contract names an audience for each. */
export type Audience = "anyone" | AccountAudience;

/** Whether a signed-in user belongs to an audience. */
export const isInAudience = (audience: Audience, account: AccountStatus): boolean =>
  audience === "anyone" || members[audience](account);
