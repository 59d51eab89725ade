import { and, eq, inArray, notInArray } from "drizzle-orm";
import { normaliseEmail } from "#domain/email.ts";
import { account, user } from "#server/features/account/tables.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { createLink } from "../links.ts";
import { adminLinkMail } from "../mails.ts";

export type AdminLink = { email: string; link: string };
/** `link` is null if it must not be logged. */
type WaitingAdmin = { email: string; link: string | null };

/**
 * Updates the admins from ADMIN_EMAILS, at every start. Disables and signs out an admin whose address was removed. Each
 * listed address that has no admin with a password yet gets a one-time link, by mail if the server sends real mails.
 * Only a local trial server, without mail and https, logs the link, because readers of any other server's logs must not
 * become its admin.
 */
export async function prepareAdmins(services: Services): Promise<WaitingAdmin[]> {
  const { environment, database, mailer, jobs } = services;
  const logsLinks = !mailer.isReal && !environment.baseUrl.startsWith("https:");
  await removeUnlisted(services);
  const ready = await readyAdmins(services);
  const waiting = environment.adminEmails.filter((email) => !ready.has(email));
  return await Promise.all(
    waiting.map(async (email) => {
      if (mailer.isReal) await database.transaction((tx) => queueMail(jobs, tx, adminLinkMail, { email }));
      return logsLinks ? await createAdminLink(services, email) : { email, link: null };
    }),
  );
}

/** Returns the log line about an admin without a password. */
export const waitingAdminLine = ({ email, link }: WaitingAdmin): string =>
  link === null
    ? `${email} has no admin password yet. For a one-time link: npm run admin -- ${email}`
    : `Set the admin password of ${email} (works once, for 24 hours): ${link}`;

/** Creates a link for an address of ADMIN_EMAILS. Earlier links also work until one of them is used. */
export async function createAdminLink(
  services: Pick<Services, "database" | "environment">,
  address: string,
): Promise<AdminLink> {
  const email = normaliseEmail(address);
  if (!services.environment.adminEmails.includes(email)) throw new Error(`${email} is not in ADMIN_EMAILS.`);
  const link = await createLink(services, { purpose: "admin", email });
  return { email, link };
}

async function readyAdmins({ database, environment }: Services): Promise<Set<string>> {
  const rows = await database.db
    .select({ email: user.email })
    .from(user)
    .innerJoin(account, and(eq(account.userId, user.id), eq(account.providerId, "credential")))
    .where(
      and(
        eq(user.role, "admin"),
        eq(user.status, "active"),
        inArray(user.email, [...environment.adminEmails]),
      ),
    );
  return new Set(rows.map(({ email }) => email));
}

async function removeUnlisted(services: Services): Promise<void> {
  const { environment, database, sessions } = services;
  const addresses = [...environment.adminEmails];
  await database.transaction(async (tx) => {
    const formerAdmins = await tx
      .update(user)
      .set({ status: "disabled", updatedAt: new Date() })
      .where(and(eq(user.role, "admin"), eq(user.status, "active"), notInArray(user.email, addresses)))
      .returning({ id: user.id, name: user.name });
    for (const admin of formerAdmins) {
      await recordAudit(tx, { action: "admin-removed", subjectId: admin.id });
      await services.accountEvents.lost(services, tx, {
        ...admin,
        actor: null,
        cause: "shutOut",
        keepsStudents: true,
      });
      await sessions.endAll(tx, admin.id);
    }
  });
}
