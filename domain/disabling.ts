import type { AccountStatus, Status } from "#domain/account.ts";

/** The facts about an account that disabling and enabling depend on. */
export type DisablingFacts = AccountStatus & {
  approvedAt: Date | null;
  revokedAt: Date | null;
  deletionDueAt: Date | null;
};

/** `conflict`: the account is in that state already. `admin`: admins are removed from `ADMIN_EMAILS` instead. */
export type DisablingOutcome = { kind: "becomes"; status: Status } | { kind: "conflict" } | { kind: "admin" };

/** Returns the status of an account that is enabled again. */
export function formerStatus({ role, approvedAt, revokedAt, deletionDueAt }: DisablingFacts): Status {
  if (revokedAt) return "revoked";
  if (deletionDueAt) return "leaving";
  if (role !== "agent") return "active";
  return approvedAt ? "approved" : "pending";
}

/** Disables or enables a student or an agent. A deletion that the user asked for stays due. */
export function decideDisabling(account: DisablingFacts, disabled: boolean): DisablingOutcome {
  if (account.role === "admin") return { kind: "admin" };
  if (disabled === (account.status === "disabled")) return { kind: "conflict" };
  return { kind: "becomes", status: disabled ? "disabled" : formerStatus(account) };
}

/** Days for which a disabled agent keeps their students: long enough to undo a mistake. */
export const daysWithStudents = 7;

/** Returns the moment before which agents must have been disabled to lose their students now. */
export const studentsLeaveBefore = (now: Date): Date =>
  new Date(now.getTime() - daysWithStudents * 24 * 3_600_000);
