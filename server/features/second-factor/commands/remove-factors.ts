import { and, eq, type SQL } from "drizzle-orm";
import { helpReasonProblem, isHelpedByAdmins } from "#domain/account-help.ts";
import { isAdmin } from "#domain/permission.ts";
import { lockAccount, lockActor } from "#server/features/account/queries.ts";
import { queueSecurityMail } from "#server/features/account/security-mails.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { passkey } from "../tables.ts";

/** Removes the account's passkeys, or those that match the condition, and returns their number. */
export async function removePasskeys(tx: Transaction, userId: string, condition?: SQL): Promise<number> {
  const passkeys = await tx
    .delete(passkey)
    .where(and(eq(passkey.userId, userId), condition))
    .returning({ id: passkey.id });
  return passkeys.length;
}

/**
 * Removes every second factor of an account and ends all its sessions. Operators do this for users who have lost their
 * means of logging in. Returns false if there was no factor.
 */
export async function removeSecondFactor(services: Services, userId: string): Promise<boolean> {
  return await services.database.transaction(async (tx) => {
    await lockAccount(tx, userId);
    return await removeIn(services, tx, null, userId, null);
  });
}

/** Removes every second factor of an account for an admin, whose reason is emailed to the holder. */
export async function resetSecondFactor(
  services: Services,
  actor: Actor,
  { userId, reason }: { userId: string; reason: string },
): Promise<void> {
  const problem = helpReasonProblem(reason);
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const holder = await lockAccount(tx, userId);
    if (!holder) throw new Refusal("not-found");
    if (problem) throw Refusal.of(problem);
    if (!isHelpedByAdmins(holder)) throw new Refusal("failed-precondition", { message: onlyByOperator });
    if (!(await removeIn(services, tx, actor, userId, reason.trim())))
      throw new Refusal("failed-precondition", { message: "This account has no two-step login." });
  });
}

const onlyByOperator = "An admin's two-step login is reset on the server, with npm run admin.";

/** `actor` and `reason` are null for an operator. */
async function removeIn(
  services: Services,
  tx: Transaction,
  actor: Actor | null,
  userId: string,
  reason: string | null,
): Promise<boolean> {
  const hadApp = await services.secondFactors.remove(tx, userId);
  if ((await removePasskeys(tx, userId)) === 0 && !hadApp) return false;
  const detail = reason === null ? {} : { detail: { reason } };
  await recordAudit(tx, { action: "second-factor-removed", ...actedBy(actor), ...detail, subjectId: userId });
  const mail = reason === null ? "second-factor-off" : "second-factor-reset";
  const details = reason === null ? [] : [`Reason: ${reason}`];
  await queueSecurityMail(services, tx, userId, mail, { details });
  await services.sessions.endAll(tx, userId);
  return true;
}
