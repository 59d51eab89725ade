import { eq } from "drizzle-orm";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { keep, temporaryValue } from "./kept-values.ts";
import { verification } from "./tables.ts";

/** Milliseconds for which a change of the email address can be confirmed. */
export const emailChangeLifetime = 24 * 60 * 60 * 1000;

const identifier = (userId: string) => `email-asked:${userId}`;

/**
 * Saves the address that an account wants to change to, for as long as the mailed link works. It is saved even if
 * another account has it: the profile must not reveal that.
 */
export async function saveRequestedEmail(tx: Transaction, userId: string, email: string): Promise<void> {
  await keep(tx, identifier(userId), email, emailChangeLifetime);
}

/** Deletes the requested address, so that a link mailed to it no longer changes anything. */
export async function deleteRequestedEmail(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(verification).where(eq(verification.identifier, identifier(userId)));
}

/** Returns the requested address that awaits confirmation; null if none was requested recently. */
export const requestedEmailOf = (db: Reader, userId: string): Promise<string | null> =>
  temporaryValue(db, identifier(userId));
