import { eq } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { countRecoveryCodes } from "./codes.ts";
import { hasSecondFactor, passkey, secondFactor } from "./tables.ts";

export async function hasAnySecondFactor(db: Reader, userId: string): Promise<boolean> {
  const [row] = await db.select({ hasSecondFactor }).from(user).where(eq(user.id, userId));
  return row?.hasSecondFactor ?? false;
}

/** Returns the sign-in methods of an account besides its password. */
export async function signInMethodsOf(db: Reader, userId: string) {
  const [authenticator] = await db
    .select({ since: secondFactor.createdAt })
    .from(secondFactor)
    .where(eq(secondFactor.userId, userId));
  const recoveryCodes = await countRecoveryCodes(db, userId);
  const passkeys = await db
    .select({
      id: passkey.id,
      name: passkey.name,
      since: passkey.createdAt,
      lastUsed: passkey.lastUsedAt,
    })
    .from(passkey)
    .where(eq(passkey.userId, userId))
    .orderBy(passkey.createdAt, passkey.id);
  return { authenticator: authenticator ? { ...authenticator, recoveryCodes } : null, passkeys };
}
