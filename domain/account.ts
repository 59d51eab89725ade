/** Roles of accounts. Only students and agents sign themselves up. */
export const roles = ["student", "agent", "admin"] as const;
export type Role = (typeof roles)[number];
const signUpRoles = ["student", "agent"] as const satisfies readonly Role[];
export type SignUpRole = (typeof signUpRoles)[number];

/**
 * States of accounts; the role decides which apply. Students and admins: active or disabled. Agents: pending → approved
 * → revoked, or disabled; a denied agent's record is deleted, all but a tombstone. Students and agents who asked for
 * the deletion of their account are leaving.
 */
export const statuses = ["active", "disabled", "leaving", "pending", "approved", "revoked"] as const;
export type Status = (typeof statuses)[number];

/** The role and status that decide what the user of an account may do. */
export type AccountStatus = { role: Role; status: Status };

/** Longest texts in characters; the forms show them and the server enforces them. */
export const limits = {
  name: 60,
  email: 254,
  phone: 40,
  agency: 120,
  country: 60,
  password: 128,
  token: 1024,
  next: 1024,
  id: 64,
} as const;

/** Fewest characters of an admin's password; everyone else's is the configuration's PASSWORD_MIN_LENGTH. */
export const adminPasswordMinLength = 15;
/** PASSWORD_MIN_LENGTH may raise this, never lower it. */
export const lowestPasswordMinLength = 6;

/** The version of Terms and Privacy that a sign-up agrees to. */
export const termsVersion = "2026-11-23.1";

export const isRole = (text: string): text is Role => roles.some((role) => role === text);
export const isSignUpRole = (text: string): text is SignUpRole => signUpRoles.some((role) => role === text);

/** The states of accounts that can't be used. */
export const inactiveStatuses = ["disabled", "leaving", "revoked"] as const satisfies readonly Status[];

/** Whether an account may be used at all. */
export const hasAccess = ({ status }: AccountStatus): boolean =>
  !inactiveStatuses.some((each) => each === status);

/** Whether an account's bids and sales are binding. Only an admin can end that; leaving doesn't. */
export const isBound = (who: AccountStatus): boolean => hasAccess(who) || who.status === "leaving";
