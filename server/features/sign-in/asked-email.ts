import { eq } from "drizzle-orm";
import { keep, keptValue } from "#server/features/account/kept-values.ts";
import { verification } from "#server/features/account/tables.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { emailChangeLifetime, withdrawEmailChanges } from "./links.ts";

const identifier = (userId: string) => `email-asked:${userId}`;

/**
 * Keeps the address that an account asks to move to, for as long as the mailed link works. The address is kept whether
 * or not it is free: the profile must not reveal that somebody else has it.
 */
export async function saveAskedEmail(tx: Transaction, userId: string, email: string): Promise<void> {
  await keep(tx, identifier(userId), email, emailChangeLifetime);
}

/** Drops a pending change of address: its link, and the entry that the profile shows. */
export async function dropEmailChange(tx: Transaction, userId: string): Promise<void> {
  await withdrawEmailChanges(tx, userId);
  await dropAskedEmail(tx, userId);
}

/** Drops the pending address that the profile shows. */
export async function dropAskedEmail(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(verification).where(eq(verification.identifier, identifier(userId)));
}

/** Returns the address that waits to be confirmed; null when none was requested lately. */
export const askedEmailOf = (db: Reader, userId: string): Promise<string | null> =>
  keptValue(db, identifier(userId));
