import type { InvitedRole } from "#domain/invitation.ts";

/** The page that opens after an invitation is accepted. */
export const homeOf: Record<InvitedRole, string> = {
  student: "/student-dashboard",
  agent: "/agent-dashboard",
};
