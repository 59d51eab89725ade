import { eq } from "drizzle-orm";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { keep, keptValue } from "./kept-values.ts";
import { verification } from "./tables.ts";

/** Milliseconds for which a change of the email address can be confirmed. */
export const emailChangeLifetime = 24 * 60 * 60 * 1000;

const identifier = (userId: string) => `email-asked:${userId}`;

/**
 * Keeps the address that an account asks to move to, for as long as the mailed link works. The address is kept whether
 * or not it is free: the profile must not reveal that somebody else has it.
 */
export async function saveAskedEmail(tx: Transaction, userId: string, email: string): Promise<void> {
  await keep(tx, identifier(userId), email, emailChangeLifetime);
}

/** Drops the address that an account asks to move to. A link that was mailed there moves nothing from then on. */
export async function dropAskedEmail(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(verification).where(eq(verification.identifier, identifier(userId)));
}

/** Returns the address that waits to be confirmed; null when none was requested lately. */
export const askedEmailOf = (db: Reader, userId: string): Promise<string | null> =>
  keptValue(db, identifier(userId));
