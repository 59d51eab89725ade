import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { AuditAction } from "#domain/audit.ts";
import { browserName } from "#domain/browser-name.ts";
import { type SecurityEvent, securityEvents, securityWords } from "#domain/security-event.ts";
import type { Transaction } from "#server/platform/database.ts";
import { compose, greeting } from "#server/platform/mail.ts";
import { type MailKind, queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { audit } from "../audit/tables.ts";
import type { Client } from "./commands/attempt-password.ts";
import { countWithin } from "./count-within.ts";
import { user } from "./tables.ts";

/** Of one account in an hour, for logins and for everything else: whoever logs in over and over floods no mailbox. */
const mostInAnHour = { logins: 5, changes: 20 };

const origin = z.object({ browser: z.string().nullable(), address: z.string() });
const data = z.object({
  userId: z.string(),
  event: z.enum(securityEvents),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Of a login. */
  from: origin.optional(),
});
type SecurityMail = z.infer<typeof data>;

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Tells the holder of an account what has happened to it, and what to do if it was somebody else. */
export const securityMail: MailKind<SecurityMail, Services> = {
  name: "security",
  data,
  async write({ database, environment }, { userId, event, at, from }) {
    const [holder] = await database.db
      .select({ email: user.email, firstName: user.firstName })
      .from(user)
      .where(eq(user.id, userId));
    if (!holder) return null;
    const { subject, sentence } = securityWords[event];
    const facts = [
      `Time: ${moment.format(at)} UTC`,
      ...(from ? [`Browser: ${from.browser ?? "Unknown browser"}`, `Network address: ${from.address}`] : []),
    ];
    return compose({
      to: holder.email,
      subject,
      paragraphs: [
        greeting(holder.firstName),
        sentence,
        facts.join("\n"),
        "If this was you, you don't need to do anything. If it wasn't, set a new password right away: it logs out all devices.",
      ],
      action: { label: "Set a new password", link: `${environment.baseUrl}/reset-password` },
    });
  },
};

/** Emails the holder of an account about a change, in its transaction; nothing once there were too many. */
export async function queueSecurityMail(
  { jobs }: Pick<Services, "jobs">,
  tx: Transaction,
  userId: string,
  event: SecurityEvent,
  from?: z.infer<typeof origin>,
): Promise<void> {
  const kind = event === "new-device" ? "logins" : "changes";
  const count = await countWithin(tx, `security-mail-${kind}:${userId}`, 3600);
  if (count <= mostInAnHour[kind])
    await queueMail(jobs, tx, securityMail, { userId, event, at: Date.now(), ...(from && { from }) });
}

/** What shows that the holder of an account was there before. */
const arrivals: AuditAction[] = ["sign-in", "sign-up", "password-set", "admin-created"];

/** Emails the holder of an account about a login in a browser that it does not know, but for the very first one. */
export async function noticeNewDevice(
  services: Services,
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
  { cookies, userAgent, address }: Client,
): Promise<void> {
  if (services.identity.devices.read(cookies, email) !== null) return;
  const [before] = await tx
    .select({ id: audit.id })
    .from(audit)
    .where(and(eq(audit.actorId, userId), inArray(audit.action, arrivals)))
    .limit(1);
  if (!before) return;
  await queueSecurityMail(services, tx, userId, "new-device", {
    browser: browserName(userAgent ?? ""),
    address,
  });
}
