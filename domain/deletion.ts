import type { Role } from "#domain/account.ts";

const day = 24 * 3_600_000;

/** Days after which an account is erased whose holder asked for it; logging in within them keeps it. */
export const coolingOffDays = 7;

/** Days before the end of an unused account of which its holder is told by email. */
export const warningDays = 14;

const inDays = (now: Date, days: number): Date => new Date(now.getTime() + days * day);

/** When an account that is asked to be deleted now is erased. */
export const deletionDue = (now: Date): Date => inDays(now, coolingOffDays);

/**
 * When an unused account is erased: so many days after the last login, and never sooner than the days between the
 * warning and its end.
 */
export function unusedUntil(lastLogin: Date, days: number, now: Date): Date {
  const [end, earliest] = [inDays(lastLogin, days), inDays(now, warningDays)];
  return end > earliest ? end : earliest;
}

/** Whether somebody may have their own account deleted: an admin's ends with `ADMIN_EMAILS`. */
export const mayDeleteAccount = ({ role }: { role: Role }): boolean => role !== "admin";
