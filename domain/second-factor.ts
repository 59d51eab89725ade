import type { Role } from "#domain/account.ts";

/** Whom the configuration can ask for a second factor, by the word for them there. */
export const secondFactorGroups = { admins: "admin", agents: "agent" } as const satisfies Record<
  string,
  Role
>;

/** Of the code that is emailed before the first one is set up where it is required. */
export const mailboxCodeDigits = 8;

/** Whether somebody may do nothing yet but set up a second factor. `required`: the roles that need one. */
export const lacksSecondFactor = (
  { role, hasSecondFactor }: { role: Role; hasSecondFactor: boolean },
  required: readonly Role[],
): boolean => !hasSecondFactor && required.includes(role);
