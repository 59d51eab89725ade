import type { AccountStatus } from "#domain/account.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";

/** Most characters of the reason that an admin gives for resetting a user's two-step login. */
export const helpReasonLimit = 300;

/** Returns what is wrong with a reason, or null. The reason is emailed to the user, so it can't be empty. */
export const helpReasonProblem = (reason: string): Problem<"reason"> | null =>
  reason.trim() === ""
    ? wrong("reason", "Please give a reason. We'll email it to them.")
    : tooLong("reason", "The reason", reason, helpReasonLimit);

/**
 * Whether admins may reset a user's second factor and edit their details: only students' and agents'. The operator
 * resets an admin's, so that no admin can weaken another's login.
 */
export const isHelpedByAdmins = ({ role }: Pick<AccountStatus, "role">): boolean =>
  role === "student" || role === "agent";
