import { and, eq } from "drizzle-orm";
import { recordAudit } from "#server/features/audit/commands.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { findLink, type Grant } from "../links.ts";
import { verificationMail } from "../mails.ts";
import type { AccountNews } from "../sessions.ts";
import { user } from "../tables.ts";
import { AddressIsTaken, confirmEmailChange } from "./change-email.ts";

/** `emailInUse`: somebody else has got the new address since the link was mailed. */
export type VerifyOutcome = "verified" | "invalidLink" | "emailInUse";

/**
 * Confirms the address that a link was mailed to: the account's own, or the new one that it moves to. A link can't be
 * used once the address has changed since. Opened again, by its holder or by a mail scanner before them, it says the
 * same and changes nothing.
 */
export async function verifyEmail(services: Services, token: string): Promise<VerifyOutcome> {
  const { database, sessions, live } = services;
  const grant = await findLink(services, token);
  if (!grant) return "invalidLink";
  try {
    const news = await database.transaction(async (tx) => {
      const about = await confirm(services, tx, grant);
      if (about) await sessions.announce(tx, about);
      // The admin's cards of agents show whether an address is verified.
      if (about) await live.publish("agents", "{}", tx);
      return about;
    });
    if (!news) return "invalidLink";
    sessions.forget(news);
    return "verified";
  } catch (error) {
    if (error instanceof AddressIsTaken || isUniqueViolation(error)) return "emailInUse";
    throw error;
  }
}

async function confirm(services: Services, tx: Transaction, grant: Grant): Promise<AccountNews | null> {
  if (grant.purpose === "email") return await confirmEmailChange(services, tx, grant);
  if (grant.purpose !== "verify") return null;
  const { userId, email } = grant;
  const [holder] = await tx
    .select({ verified: user.emailVerified })
    .from(user)
    .where(and(eq(user.id, userId), eq(user.email, email)))
    .for("update");
  if (!holder) return null;
  const news = { userId, ended: false };
  if (holder.verified) return news;
  await tx.update(user).set({ emailVerified: true, updatedAt: new Date() }).where(eq(user.id, userId));
  await recordAudit(tx, { action: "email-verified", actorId: userId, subjectId: userId });
  return news;
}

/** Queues the verification mail again; the job finds out whether it is still needed. */
export async function resendVerification(
  { database, jobs }: Services,
  userId: string,
  next?: string,
): Promise<void> {
  await database.transaction((tx) => queueMail(jobs, tx, verificationMail, { userId, next }));
}
