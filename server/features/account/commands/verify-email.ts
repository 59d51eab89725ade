import { and, eq } from "drizzle-orm";
import { recordAudit } from "#server/features/audit/commands.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { findLink, type Grant } from "../links.ts";
import { verificationMail } from "../mails.ts";
import { user } from "../tables.ts";
import { confirmEmailChange } from "./change-email.ts";

const invalidLink = () => new Refusal("auth/invalid-action-code");

/**
 * Confirms the address that a link was mailed to: the account's own, or the new one that it moves to. A link can't be
 * used once the address has changed since. Opened again, by its holder or by a mail scanner before them, it says the
 * same and changes nothing.
 */
export async function verifyEmail(services: Services, token: string): Promise<void> {
  const { database, sessions, live } = services;
  const grant = await findLink(database, token);
  if (!grant) throw invalidLink();
  try {
    await database.transaction(async (tx) => {
      const userId = await confirm(services, tx, grant);
      await sessions.changed(tx, userId);
      // The admin's cards of agents show whether an address is verified.
      await live.publish("agents", "{}", tx);
    });
  } catch (error) {
    // Somebody else has got the new address since the link was mailed.
    throw isUniqueViolation(error) ? new Refusal("auth/email-already-in-use") : error;
  }
}

/** Whose address is confirmed. */
async function confirm(services: Services, tx: Transaction, grant: Grant): Promise<string> {
  if (grant.purpose === "email") {
    if (!(await confirmEmailChange(services, tx, grant))) throw invalidLink();
    return grant.userId;
  }
  if (grant.purpose !== "verify") throw invalidLink();
  const { userId, email } = grant;
  const [holder] = await tx
    .select({ verified: user.emailVerified })
    .from(user)
    .where(and(eq(user.id, userId), eq(user.email, email)))
    .for("update");
  if (!holder) throw invalidLink();
  if (holder.verified) return userId;
  await tx.update(user).set({ emailVerified: true, updatedAt: new Date() }).where(eq(user.id, userId));
  await recordAudit(tx, { action: "email-verified", actorId: userId, subjectId: userId });
  return userId;
}

/** Queues the verification mail again; the job finds out whether it is still needed. */
export async function resendVerification(
  { database, jobs }: Services,
  userId: string,
  next?: string,
): Promise<void> {
  await database.transaction((tx) => queueMail(jobs, tx, verificationMail, { userId, next }));
}
