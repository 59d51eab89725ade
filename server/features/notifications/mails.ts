import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { isInGoodStanding } from "#domain/account.ts";
import { notificationWords } from "#domain/notification.ts";
import { compose } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { user } from "../account/tables.ts";
import { mutedMail, notification } from "./tables.ts";

/** The mail of a notification, unless the person has switched its kind off or the account is not in use. */
export const notificationMail: MailKind<{ notificationId: number }, Services> = {
  name: "notification",
  data: z.object({ notificationId: z.number().int() }),
  async write({ database, environment }, { notificationId }) {
    const [found] = await database.db
      .select({
        kind: notification.kind,
        about: notification.about,
        path: notification.path,
        email: user.email,
        firstName: user.firstName,
        role: user.role,
        status: user.status,
        muted: mutedMail.kind,
      })
      .from(notification)
      .innerJoin(user, eq(user.id, notification.userId))
      .leftJoin(
        mutedMail,
        and(eq(mutedMail.userId, notification.userId), eq(mutedMail.kind, notification.kind)),
      )
      .where(eq(notification.id, notificationId));
    if (!found || found.muted !== null || !isInGoodStanding(found)) return null;
    const { title, sentence } = notificationWords[found.kind];
    return compose({
      to: found.email,
      subject: title,
      paragraphs: [`Hello ${found.firstName},`, sentence(found.about)],
      action: { label: "Open Wayfare", link: `${environment.baseUrl}${found.path}` },
    });
  },
};
