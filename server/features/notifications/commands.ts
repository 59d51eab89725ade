import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import {
  digestOf,
  type NewAbout,
  type NewIds,
  type NotificationKind,
  notificationTable,
} from "#domain/notification.ts";
import type { Transaction } from "#server/platform/database.ts";
import { queueMails } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { user } from "../account/tables.ts";
import { joinDigests } from "./join-digests.ts";
import { notificationMail } from "./mails.ts";
import { queuePushes } from "./pushes.ts";
import { mutedMail, notification } from "./tables.ts";
import type { Subscription } from "./unsubscribe-links.ts";
import { queueDeliveries } from "./webhooks/delivery-queue.ts";

/**
 * An event that one person is notified of. `eventKey` names the event (`document-rejected:{documentId}`), which is
 * shown only once. `topic` names its subject if only the latest notification counts (`application:{id}`): this entry
 * replaces unread ones of the same topic. The kind declares `about` and `ids` (domain/notifications). `path` is the
 * page that it links to. `agentId` is the account of the agent whom `about` names, if any. `mail: false` queues no mail
 * for it.
 */
export type NewNotification<Kind extends NotificationKind = NotificationKind> = Kind extends NotificationKind
  ? {
      userId: string;
      kind: Kind;
      eventKey: string;
      topic?: string;
      about: NewAbout<Kind>;
      ids: NewIds<Kind>;
      agentId?: string;
      path: string;
      mail?: boolean;
    }
  : never;

const isMailed = ({ kind, mail }: NewNotification): boolean =>
  mail !== false && notificationTable[kind].mail !== "never";

/**
 * Writes the bell's entries and the jobs for mails, pushes and webhooks, in the transaction of the change. Open pages
 * are notified on commit.
 */
export async function notify(
  { jobs, live }: Pick<Services, "jobs" | "live">,
  tx: Transaction,
  ...notifications: NewNotification[]
): Promise<void> {
  if (notifications.length === 0) return;
  const replaced = await deleteReplaced(tx, notifications);
  const { mailOf, opened } = await joinDigests(tx, notifications.filter(isMailed));
  const rows = notifications.map((each) => {
    const { mail: _unstored, ...row } = each;
    const mailId = isMailed(each) ? (mailOf(each) ?? randomUUID()) : (replaced.get(topicOf(each)) ?? null);
    return { ...row, mailId };
  });
  const newRows = await tx.insert(notification).values(rows).onConflictDoNothing().returning({
    userId: notification.userId,
    eventKey: notification.eventKey,
    kind: notification.kind,
    mailId: notification.mailId,
  });
  const inherited = new Set(replaced.values());
  const immediate = newRows.flatMap(({ kind, mailId }) =>
    mailId === null || digestOf(kind) !== null || inherited.has(mailId)
      ? []
      : [{ data: { mailId }, afterSeconds: (notificationTable[kind].mailAfter ?? 0) * 60 }],
  );
  await queueMails(jobs, tx, notificationMail, [...immediate, ...opened]);
  await queuePushes(jobs, tx, newRows);
  const addedKeys = new Set(newRows.map(keyOf));
  await queueDeliveries(
    jobs,
    tx,
    notifications.filter((each) => addedKeys.has(keyOf(each))),
  );
  await live.publishTo(
    newRows.map(({ userId }) => `notifications:${userId}`),
    "{}",
    tx,
  );
}

const keyOf = ({ userId, eventKey }: { userId: string; eventKey: string }) => `${userId} ${eventKey}`;
const topicOf = ({ userId, topic }: { userId: string; topic?: string | null }) => `${userId} ${topic ?? ""}`;

/**
 * Deletes unread entries of the same topics. Resolves to the mails of the deleted entries, by topic: a mail that has
 * not been sent yet gets the latest entry.
 */
async function deleteReplaced(
  tx: Transaction,
  notifications: readonly NewNotification[],
): Promise<Map<string, string>> {
  const withTopic = notifications.filter(({ topic }) => topic !== undefined);
  if (withTopic.length === 0) return new Map();
  const [userIds, topics, eventKeys] = [
    withTopic.map(({ userId }) => userId),
    withTopic.map(({ topic }) => topic),
    withTopic.map(({ eventKey }) => eventKey),
  ].map((values) => sql`${sql.param(values)}::text[]`);
  const deleted = await tx
    .delete(notification)
    .where(
      and(
        isNull(notification.readAt),
        sql`(${notification.userId}, ${notification.topic}) in (select * from unnest(${userIds}, ${topics}))`,
        sql`${notification.eventKey} <> all(${eventKeys})`,
      ),
    )
    .returning({
      userId: notification.userId,
      topic: notification.topic,
      mailId: notification.mailId,
    });
  return new Map(deleted.flatMap((row) => (row.mailId === null ? [] : [[topicOf(row), row.mailId]])));
}

/** Marks entries of one person as read, also on their other open pages. */
export const markRead = (services: Services, userId: string, ids: readonly number[]): Promise<void> =>
  mark(services, userId, inArray(notification.id, [...ids]));

/** Marks all entries up to this one as read, also on the person's other open pages. */
export const markAllRead = (services: Services, userId: string, upTo: number): Promise<void> =>
  mark(services, userId, lte(notification.id, upTo));

async function mark({ database, live }: Services, userId: string, condition: SQL): Promise<void> {
  const marked = await database.db
    .update(notification)
    .set({ readAt: new Date() })
    .where(and(eq(notification.userId, userId), condition, isNull(notification.readAt)))
    .returning({ id: notification.id });
  if (marked.length > 0) await live.publish(`notifications:${userId}`, "{}");
}

/** Marks a user's unread entries of a topic as read, in the transaction of the change that makes them outdated. */
export async function markTopicRead(
  { live }: Pick<Services, "live">,
  tx: Transaction,
  userId: string,
  topic: string,
): Promise<void> {
  const marked = await tx
    .update(notification)
    .set({ readAt: new Date() })
    .where(and(eq(notification.userId, userId), eq(notification.topic, topic), isNull(notification.readAt)))
    .returning({ id: notification.id });
  if (marked.length > 0) await live.publish(`notifications:${userId}`, "{}", tx);
}

/** Deletes unread entries of a topic that have become untrue. */
export async function removeUnread(
  { live }: Pick<Services, "live">,
  tx: Transaction,
  topic: string,
  userIds: readonly string[],
): Promise<void> {
  const rows = await tx
    .delete(notification)
    .where(
      and(
        inArray(notification.userId, [...userIds]),
        eq(notification.topic, topic),
        isNull(notification.readAt),
      ),
    )
    .returning({ userId: notification.userId });
  await live.publishTo(
    rows.map(({ userId }) => `notifications:${userId}`),
    "{}",
    tx,
  );
}

/** Switches a kind of mail on or off for one person. The bell always shows it. */
export async function setMailSwitch(
  { database }: Services,
  userId: string,
  kind: NotificationKind,
  on: boolean,
): Promise<void> {
  if (on)
    await database.db.delete(mutedMail).where(and(eq(mutedMail.userId, userId), eq(mutedMail.kind, kind)));
  else await database.db.insert(mutedMail).values({ userId, kind }).onConflictDoNothing();
}

/** Switches kinds of mail off by a signed link. Does nothing if the account is gone. */
export async function unsubscribe({ database }: Services, { userId, kinds }: Subscription): Promise<void> {
  const rows = database.db
    .select({ userId: user.id, kind: sql`unnest(${sql.param(kinds)}::text[])`.as("kind") })
    .from(user)
    .where(eq(user.id, userId));
  await database.db.insert(mutedMail).select(rows).onConflictDoNothing();
}
