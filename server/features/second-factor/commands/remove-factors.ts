import { and, eq, type SQL } from "drizzle-orm";
import { lockAccount } from "#server/features/account/queries.ts";
import { queueSecurityMail } from "#server/features/account/security-mails.ts";
import { actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { passkey } from "../tables.ts";

/** Removes the account's passkeys, or those that match the condition; returns how many. */
export async function removePasskeys(tx: Transaction, userId: string, condition?: SQL): Promise<number> {
  const removed = await tx
    .delete(passkey)
    .where(and(eq(passkey.userId, userId), condition))
    .returning({ id: passkey.id });
  return removed.length;
}

/**
 * Removes every second factor of an account and ends all its sessions. Operators do this for people who have lost what
 * they log in with. Returns false if there was no factor.
 */
export async function removeSecondFactor(services: Services, userId: string): Promise<boolean> {
  return await services.database.transaction(async (tx) => {
    await lockAccount(tx, userId);
    const hadApp = await services.secondFactors.remove(tx, userId);
    if ((await removePasskeys(tx, userId)) === 0 && !hadApp) return false;
    await recordAudit(tx, { action: "second-factor-removed", ...actedBy(null), subjectId: userId });
    await queueSecurityMail(services, tx, userId, "second-factor-off");
    await services.sessions.endAll(tx, userId);
    return true;
  });
}
