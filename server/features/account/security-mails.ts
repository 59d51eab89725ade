import { and, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditAction } from "#domain/audit.ts";
import { formatLongMoment } from "#domain/date-format.ts";
import { type SecurityEvent, securityEvents, securityWords, supportMark } from "#domain/security-event.ts";
import type { Transaction } from "#server/platform/database.ts";
import { compose, greeting, nameToGreet } from "#server/platform/mail.ts";
import { type MailKind, queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { audit } from "../audit/tables.ts";
import { keyOf } from "./limits.ts";
import { type Account, accountById } from "./queries.ts";
import { requestedEmailOf } from "./requested-email.ts";
import { rateLimit } from "./tables.ts";

/**
 * Most mails per account and hour, about logins and about everything else, so that repeated logins don't flood the
 * mailbox.
 */
const hourlyLimits = { logins: 5, changes: 20 };

const origin = z.object({ browser: z.string().nullable(), address: z.string() });
const data = z.object({
  userId: z.string(),
  event: z.enum(securityEvents),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The origin of a login; other events have none. */
  from: origin.optional(),
  /** Further sentences of the mail. */
  details: z.array(z.string()).default([]),
});
type SecurityMail = z.infer<typeof data>;

/** Tells the holder what has happened to the account, and what to do if someone else did it. */
export const securityMail: MailKind<SecurityMail, Services> = {
  name: "security",
  data,
  async write({ database, environment }, { userId, event, at, from, details }) {
    const holder = await accountById(database.db, userId);
    if (!holder) return null;
    const { subject, sentence, advice } = securityWords[event];
    // The job doesn't contain the address: it may belong to someone else, whose account may be erased in the meantime.
    const askedEmail = event === "email-change-asked" ? await requestedEmailOf(database.db, userId) : null;
    const facts = [
      ...(askedEmail === null ? [] : [`New address: ${askedEmail}`]),
      `Time: ${formatLongMoment(new Date(at))} UTC`,
      ...(from ? [`Device: ${from.browser ?? "Unknown"}`, `Network address: ${from.address}`] : []),
    ];
    return compose({
      to: holder.email,
      subject,
      paragraphs: [
        greeting(nameToGreet(holder)),
        sentence,
        ...details,
        facts.join("\n"),
        `If this was you, you don't need to do anything. If it wasn't, ${advice}`.replaceAll(
          supportMark,
          environment.contactEmail,
        ),
      ],
      action: { label: "Set a new password", link: `${environment.baseUrl}/reset-password` },
    });
  },
};

/** Emails the holder of an account about a change, in its transaction. Sends nothing beyond `hourlyLimits`. */
export async function queueSecurityMail(
  { jobs }: Pick<Services, "jobs">,
  tx: Transaction,
  userId: string,
  event: SecurityEvent,
  about: Pick<z.input<typeof data>, "from" | "details"> = {},
): Promise<void> {
  const kind = event === "new-device" ? "logins" : "changes";
  const count = await countWithin(tx, `security-mail-${kind}:${userId}`, 3600);
  if (count <= hourlyLimits[kind])
    await queueMail(jobs, tx, securityMail, { details: [], ...about, userId, event, at: Date.now() });
}

/**
 * Counts an event in a fixed window that begins with the first one; returns the count, including this event. Runs in
 * the caller's transaction, so that an event that is rolled back does not count.
 */
async function countWithin(tx: Transaction, about: string, seconds: number): Promise<number> {
  const now = Date.now();
  const isOver = sql`${rateLimit.expire} <= ${now}`;
  const expire = now + seconds * 1000;
  const [counter] = await tx
    .insert(rateLimit)
    .values({ key: `within:${keyOf(about)}`, points: 1, expire })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: {
        points: sql`case when ${isOver} then 1 else ${rateLimit.points} + 1 end`,
        expire: sql`case when ${isOver} then ${expire} else ${rateLimit.expire} end`,
      },
    })
    .returning({ points: rateLimit.points });
  return counter?.points ?? 0;
}

/** Wrong codes within an hour after which the holder is mailed, because someone else may know the password. */
const wrongCodesToReport = 3;

/** Records a wrong code after a correct password; emails the holder once an hour about several of them. */
export async function reportWrongCode(services: Services, tx: Transaction, userId: string): Promise<void> {
  if ((await countWithin(tx, `wrong-codes:${userId}`, 3600)) === wrongCodesToReport)
    await queueSecurityMail(services, tx, userId, "wrong-codes");
}

/** Actions which show that the holder of an account has logged in before. */
const loginActions: AuditAction[] = ["sign-in", "sign-up", "password-set", "admin-created"];

/** Emails the holder of an account about a login in an unknown browser, except the very first login. */
export async function reportNewDevice(
  services: Services,
  tx: Transaction,
  account: Account,
  { cookies, browser, address }: { cookies: string | null; browser: string | null; address: string },
): Promise<void> {
  const { id } = account;
  if (services.signedCookies.devices.read(cookies, account) !== null) return;
  const [before] = await tx
    .select({ id: audit.id })
    .from(audit)
    .where(and(eq(audit.actorId, id), inArray(audit.action, loginActions)))
    .limit(1);
  if (!before) return;
  await queueSecurityMail(services, tx, id, "new-device", { from: { browser, address } });
}
