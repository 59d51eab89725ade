import type { InvitedRole } from "#domain/invitation.ts";

/** The page that people see first once they have accepted. */
export const homeOf: Record<InvitedRole, string> = {
  student: "/student-dashboard",
  agent: "/agent-dashboard",
};
