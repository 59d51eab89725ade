import { and, eq } from "drizzle-orm";
import { recordAudit } from "#server/features/audit/commands.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { type Grant, useLink, withdrawLinks } from "../links.ts";
import { verificationMail } from "../mails.ts";
import type { AccountNews } from "../sessions.ts";
import { user } from "../tables.ts";
import { AddressIsTaken, confirmEmailChange } from "./change-email.ts";

/** `emailInUse`: somebody else has got the new address since the link was mailed. */
export type VerifyOutcome = "verified" | "invalidLink" | "emailInUse";

/**
 * Confirms the address that a link was mailed to: the account's own, or the new one that it moves to. A link can't be
 * used once the address has changed since.
 */
export async function verifyEmail(services: Services, token: string): Promise<VerifyOutcome> {
  const { database, identity, sessions } = services;
  try {
    const news = await database.transaction(async (tx) => {
      const about = await confirm(services, tx, await useLink(identity, token));
      if (about) await sessions.announce(tx, about);
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

async function confirm(
  services: Services,
  tx: Transaction,
  grant: Grant | null,
): Promise<AccountNews | null> {
  if (grant?.purpose === "email") return await confirmEmailChange(services, tx, grant);
  if (grant?.purpose !== "verify") return null;
  const { userId, email } = grant;
  const [verified] = await tx
    .update(user)
    .set({ emailVerified: true, updatedAt: new Date() })
    .where(and(eq(user.id, userId), eq(user.email, email)))
    .returning({ id: user.id });
  if (!verified) return null;
  await withdrawLinks(tx, grant);
  await recordAudit(tx, { action: "email-verified", actorId: userId, subjectId: userId });
  return { userId, ended: false };
}

/** Queues the verification mail again; the job finds out whether it is still needed. */
export async function resendVerification({ database, jobs }: Services, userId: string): Promise<void> {
  await database.transaction((tx) => queueMail(jobs, tx, verificationMail, { userId }));
}
