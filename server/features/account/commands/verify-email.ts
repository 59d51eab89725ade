import { and, eq } from "drizzle-orm";
import { recordAudit } from "#server/features/audit/commands.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { useLink, withdrawLinks } from "../links.ts";
import { verificationMail } from "../mails.ts";
import { user } from "../tables.ts";

/** Confirms the address that the link was mailed to; false when it can't be used, or the address has changed since. */
export async function verifyEmail(
  { database, identity, sessions }: Services,
  token: string,
): Promise<boolean> {
  const news = await database.transaction(async (tx) => {
    const grant = await useLink(identity, token);
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
    const about = { userId, ended: false };
    await sessions.announce(tx, about);
    return about;
  });
  if (news) sessions.forget(news);
  return news !== null;
}

/** Queues the verification mail again; the job finds out whether it is still needed. */
export async function resendVerification({ database, jobs }: Services, userId: string): Promise<void> {
  await database.transaction((tx) => queueMail(jobs, tx, verificationMail, { userId }));
}
