import { and, desc, eq, isNull, lt } from "drizzle-orm";
import type { NotificationEntry } from "#contract/notifications.ts";
import type { Role } from "#domain/account.ts";
import { isNotificationKind, notificationKindsOf, readAbout } from "#domain/notification.ts";
import { mostUnread, notificationsPerPage } from "#protocol/page-sizes.ts";
import type { Reader } from "#server/platform/database.ts";
import { countUpTo, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { mutedMail, notification } from "./tables.ts";

/** Lists a page of a user's bell, newest first, below an entry if given; `next` is null on the last page. */
export async function listNotifications(
  db: Reader,
  userId: string,
  below: number | null,
  limit = notificationsPerPage,
) {
  const candidates = await db
    .select({
      id: notification.id,
      kind: notification.kind,
      about: notification.about,
      path: notification.path,
      createdAt: notification.createdAt,
      readAt: notification.readAt,
    })
    .from(notification)
    .where(and(eq(notification.userId, userId), below === null ? undefined : lt(notification.id, below)))
    .orderBy(desc(notification.id))
    .limit(notificationsPerPage + 1)
    .prepare(below === null ? "notifications" : "notifications_further")
    .execute();
  const { rows, next } = paginate(candidates, limit, ({ id }) => writeCursor([id]));
  // Another node may already run a newer version, and have stored kinds that this one doesn't know.
  const entries = rows
    .filter(({ kind }) => isNotificationKind(kind))
    .map(
      ({ id, kind, about, path, createdAt, readAt }): NotificationEntry => ({
        id,
        kind,
        about: readAbout(kind, about),
        path,
        createdAt,
        read: readAt !== null,
      }),
    );
  return { entries, next };
}

/** Counts a user's unread entries, up to one more than the bell shows. */
export async function countUnread(db: Reader, userId: string): Promise<number> {
  const isUnread = and(eq(notification.userId, userId), isNull(notification.readAt));
  const [row] = await countUpTo(db, mostUnread, notification, isUnread)
    .prepare("notifications_unread")
    .execute();
  return row?.count ?? 0;
}

/** Returns the kinds of mail for a user's role, and whether each is switched on. */
export async function mailSwitchesOf(db: Reader, userId: string, role: Role) {
  const muted = await db.select({ kind: mutedMail.kind }).from(mutedMail).where(eq(mutedMail.userId, userId));
  return notificationKindsOf[role].map((kind) => ({
    kind,
    on: muted.every((each) => each.kind !== kind),
  }));
}
