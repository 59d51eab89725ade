import { and, asc, eq } from "drizzle-orm";
import { z } from "zod";
import { hasAccess } from "#domain/account.ts";
import { digests, maxItemsInMail } from "#domain/digest.ts";
import {
  digestOf,
  kindsInDigest,
  notificationTable,
  notificationText,
  readAbout,
} from "#domain/notification.ts";
import type { Transaction } from "#server/platform/database.ts";
import { compose, greeting, nameToGreet } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { user } from "../account/tables.ts";
import {
  currentNotifications,
  type MailedNotification,
  type NotificationChecks,
} from "./current-notifications.ts";
import { mutedMail, notification, openDigest } from "./tables.ts";

/**
 * Mails one notification, or those that a digest has gathered, without kinds that the person has switched off. Sends
 * nothing if the account is not in use.
 */
export const notificationMail: MailKind<{ mailId: string }, Services> = {
  name: "notification",
  data: z.object({ mailId: z.uuid() }),
  async write({ database, environment: { baseUrl }, notificationChecks, unsubscribeLinks }, { mailId }) {
    const { reader, entries } = await database.transaction((tx) => gather(tx, notificationChecks, mailId));
    const [first] = entries;
    if (!first || !reader || !isReached(reader)) return null;
    const digest = digestOf(first.kind);
    const kinds = digest ? [...kindsInDigest(digest)] : [first.kind];
    const { subject, button, path } =
      entries.length > 1 && digest ? wordsForMany(digest, entries) : wordsForOne(first);
    const others = entries.length - maxItemsInMail;
    return compose({
      to: reader.email,
      subject,
      paragraphs: [
        greeting(nameToGreet(reader)),
        ...entries.slice(0, maxItemsInMail).map(({ kind, about }) => notificationText(kind, about)),
        ...(others > 0 ? [`And ${others} more.`] : []),
      ],
      action: { label: button, link: `${baseUrl}${path}` },
      choices: {
        link: `${baseUrl}/notifications#mails`,
        unsubscribe: unsubscribeLinks.make({ userId: reader.userId, kinds }),
      },
    });
  },
};

/** Reads the content of a mail and its recipient. */
async function gather(tx: Transaction, checks: NotificationChecks, mailId: string) {
  // Later notifications start another mail; this statement waits for transactions that are about to join.
  await tx.delete(openDigest).where(eq(openDigest.mailId, mailId));
  const all = await entriesOf(tx, mailId);
  return { reader: all[0], entries: await currentNotifications(tx, checks, latestWanted(all), "mail") };
}

async function entriesOf(tx: Transaction, mailId: string) {
  const rows = await tx
    .select({
      userId: user.id,
      kind: notification.kind,
      topic: notification.topic,
      about: notification.about,
      ids: notification.ids,
      agentId: notification.agentId,
      path: notification.path,
      email: user.email,
      firstName: user.firstName,
      emailVerified: user.emailVerified,
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
    .where(eq(notification.mailId, mailId))
    .orderBy(asc(notification.id));
  return rows.map((row) => ({ ...row, about: readAbout(row.kind, row.about) }));
}

/**
 * Whether a person still gets mails of this kind: a leaving person only gets the outcome of auctions that still bind
 * them.
 */
const isReached = ({ kind, ...account }: Entry): boolean =>
  hasAccess(account) || (account.status === "leaving" && notificationTable[kind].reachesLeaving);

type Entry = Awaited<ReturnType<typeof entriesOf>>[number];

/** Returns the latest entry of each topic, without kinds that the person has switched off. */
function latestWanted(entries: readonly Entry[]): Entry[] {
  const latest = new Map(entries.map((entry, at) => [entry.topic ?? at, entry]));
  return [...latest.values()].filter(({ muted }) => muted === null);
}

function wordsForOne({ kind, about, path }: MailedNotification) {
  const { title, button } = notificationTable[kind];
  return { subject: title(about), button, path };
}

function wordsForMany(digest: keyof typeof digests, entries: readonly MailedNotification[]) {
  const { subject, button, path } = digests[digest];
  const [first, ...paths] = new Set(entries.map((entry) => entry.path));
  return {
    subject: subject(entries.map(({ about }): Readonly<Record<string, string>> => about)),
    button,
    path: first !== undefined && paths.length === 0 ? first : path,
  };
}
