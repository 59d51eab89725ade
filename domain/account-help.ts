import type { AccountStatus } from "#domain/account.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";

/** Most characters of the reason for which an admin resets somebody's two-step login. */
export const helpReasonLimit = 300;

/** Returns what is wrong with such a reason, or null. It is emailed to the holder, so it can't be empty. */
export const helpReasonProblem = (reason: string): Problem<"reason"> | null =>
  reason.trim() === ""
    ? wrong("reason", "Please give a reason. We'll email it to them.")
    : tooLong("reason", "The reason", reason, helpReasonLimit);

/**
 * Whether admins may reset somebody's second factor and edit their details: students and agents. An admin's own is reset
 * by the operator alone, so that no admin can weaken another one's login.
 */
export const isHelpedByAdmins = ({ role }: Pick<AccountStatus, "role">): boolean =>
  role === "student" || role === "agent";
