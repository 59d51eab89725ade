import { eq } from "drizzle-orm";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { keep, keptValue } from "./kept-values.ts";
import { emailChangeLifetime, withdrawEmailChanges } from "./links.ts";
import { verification } from "./tables.ts";

const identifier = (userId: string) => `email-asked:${userId}`;

/**
 * Keeps the address that an account asks to move to, for as long as the mailed link works. Kept alike whether or not
 * the address can be had: what the profile shows of it must not reveal whose it is.
 */
export async function saveAskedEmail(tx: Transaction, userId: string, email: string): Promise<void> {
  await keep(tx, identifier(userId), email, emailChangeLifetime);
}

/** Nothing waits to be confirmed any more: neither a link nor what the profile shows of it. */
export async function dropEmailChange(tx: Transaction, userId: string): Promise<void> {
  await withdrawEmailChanges(tx, userId);
  await dropAskedEmail(tx, userId);
}

/** Nothing waits any more for the profile to show. */
export async function dropAskedEmail(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(verification).where(eq(verification.identifier, identifier(userId)));
}

/** The address that waits to be confirmed; null when none was asked for lately. */
export const askedEmailOf = (db: Reader, userId: string): Promise<string | null> =>
  keptValue(db, identifier(userId));
