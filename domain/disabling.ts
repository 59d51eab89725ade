import type { AccountStatus, Status } from "#domain/account.ts";

/** An account as disabling and enabling see it. */
export type Disableable = AccountStatus & { approvedAt: Date | null; revokedAt: Date | null };

/**
 * `conflict`: it is so already. `admin`: admins are taken off their list instead. `deletionAsked`: its holder asked for
 * its deletion, and alone can take that back, by logging in.
 */
export type DisablingOutcome =
  | { kind: "becomes"; status: Status }
  | { kind: "conflict" }
  | { kind: "admin" }
  | { kind: "deletionAsked" };

/** Where an enabled account goes on: where it was before. */
export function formerStatus({ role, approvedAt, revokedAt }: Disableable): Status {
  if (role !== "agent") return "active";
  if (revokedAt) return "revoked";
  return approvedAt ? "approved" : "pending";
}

/** Disables or enables a student or an agent. */
export function decideDisabling(
  account: Disableable & { deletionDueAt: Date | null },
  disabled: boolean,
): DisablingOutcome {
  if (account.role === "admin") return { kind: "admin" };
  if (account.status === "disabled" && account.deletionDueAt) return { kind: "deletionAsked" };
  if (disabled === (account.status === "disabled")) return { kind: "conflict" };
  return { kind: "becomes", status: disabled ? "disabled" : formerStatus(account) };
}

/** Days for which a disabled agent keeps their students: long enough to undo a mistake. */
export const daysWithStudents = 7;

/** Agents who were disabled before this moment lose their students now. */
export const studentsLeaveBefore = (now: Date): Date =>
  new Date(now.getTime() - daysWithStudents * 24 * 3_600_000);
