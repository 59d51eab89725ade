import { and, eq, isNull, lte } from "drizzle-orm";
import type { NotificationKind } from "#domain/notification.ts";
import type { Transaction } from "#server/platform/database.ts";
import { queueMails } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { notificationMail } from "./mails.ts";
import { mutedMail, notification } from "./tables.ts";

/**
 * What one person is told. `eventKey` names the event (`document-rejected:{documentId}`): told again, it is shown
 * once. `about` holds names and titles for the sentence, never identity fields. `path` is the page it leads to.
 * `mail: false` leaves it at the bell.
 */
export type News = {
  userId: string;
  kind: NotificationKind;
  eventKey: string;
  about: Record<string, string>;
  path: string;
  mail?: boolean;
};

const eventOf = ({ userId, eventKey }: Pick<News, "userId" | "eventKey">) => `${userId} ${eventKey}`;

/** Writes the bell's entries and the mails' jobs in the transaction of the change; open pages hear after its commit. */
export async function notify(
  { jobs, live }: Pick<Services, "jobs" | "live">,
  tx: Transaction,
  ...news: News[]
): Promise<void> {
  if (news.length === 0) return;
  const added = await tx
    .insert(notification)
    .values(news.map(({ userId, kind, eventKey, about, path }) => ({ userId, kind, eventKey, about, path })))
    .onConflictDoNothing()
    .returning({ id: notification.id, userId: notification.userId, eventKey: notification.eventKey });
  const bellOnly = new Set(news.filter(({ mail }) => mail === false).map(eventOf));
  const mailed = added.filter((entry) => !bellOnly.has(eventOf(entry)));
  const data = mailed.map(({ id }) => ({ notificationId: id }));
  await queueMails(jobs, tx, notificationMail, data);
  await live.publishTo(
    added.map(({ userId }) => `notifications:${userId}`),
    "{}",
    tx,
  );
}

/** Over which everyone who manages students hears that something about one of them changed. */
export const studentsChannel = "students";

/** Tells open dashboards, a student's or an agent's, that something on them changed; and everyone's list of students. */
export async function touchDesks(
  { live }: Services,
  tx: Transaction,
  ...userIds: (string | null)[]
): Promise<void> {
  const people = [...new Set(userIds)].filter((id) => id !== null);
  await live.publishTo([...people.map((id) => `desk:${id}`), studentsChannel], "{}", tx);
}

/** Marks somebody's entries up to one as read; their other open pages hear of it. */
export async function markRead({ database, live }: Services, userId: string, upTo: number): Promise<void> {
  const marked = await database.db
    .update(notification)
    .set({ readAt: new Date() })
    .where(and(eq(notification.userId, userId), lte(notification.id, upTo), isNull(notification.readAt)))
    .returning({ id: notification.id });
  if (marked.length > 0) await live.publish(`notifications:${userId}`, "{}");
}

/** Switches a kind of mail on or off for one person; the bell always shows it. */
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
