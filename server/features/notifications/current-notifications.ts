import type { NotificationKind, StoredAbout } from "#domain/notification.ts";
import type { SubjectIds } from "#domain/notifications/kind.ts";
import type { Transaction } from "#server/platform/database.ts";

/** An entry that is about to be emailed or pushed to `userId`. `ids` is null if an earlier version wrote it. */
export type MailedNotification<Kind extends NotificationKind = NotificationKind> = {
  kind: NotificationKind;
  userId: string;
  about: Record<string, string> & StoredAbout<Kind>;
  ids: SubjectIds | null;
  agentId: string | null;
  path: string;
};

/** The channel of a message. Data that a check records for emails must not affect pushes, which are sent separately. */
type Channel = "mail" | "push";

/**
 * Keeps the notifications of one kind and one person that are still true, with current details, in the transaction that
 * decides the content of the email or push. Either may be sent minutes or, after an outage, days after the event. Each
 * feature provides the checks of its own kinds.
 */
export type NotificationCheck<Kind extends NotificationKind> = (
  tx: Transaction,
  notifications: readonly MailedNotification<Kind>[],
  channel: Channel,
) => Promise<MailedNotification<Kind>[]>;
export type NotificationChecks = { readonly [Kind in NotificationKind]: NotificationCheck<Kind> };

/** Keeps all notifications, for kinds of events that stay true whatever happens later. */
export const keepAll: NotificationCheck<NotificationKind> = (_tx, notifications) =>
  Promise.resolve([...notifications]);

/** Drops or rewrites notifications that are no longer true, and keeps the order. */
export async function currentNotifications(
  tx: Transaction,
  checks: NotificationChecks,
  notifications: readonly MailedNotification[],
  channel: Channel,
): Promise<MailedNotification[]> {
  const current: MailedNotification[] = [];
  for (const [kind, ofKind] of Map.groupBy(notifications, (each) => each.kind))
    current.push(...(await checks[kind](tx, ofKind, channel)));
  return current;
}
