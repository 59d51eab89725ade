import type { NotificationKind } from "#domain/notification.ts";
import type { SubjectIds } from "#domain/notifications/kind.ts";
import type { NewNotification } from "#server/features/notifications/commands.ts";

/** A notification with any values, such as an earlier version stored. */
export type NotificationInput = {
  userId: string;
  kind: NotificationKind;
  eventKey: string;
  topic?: string;
  about: Record<string, string>;
  ids: SubjectIds;
  path: string;
  mail?: boolean;
};

/** Presents a notification with any values as a new one. Without ids no check of a mail finds its subject missing. */
export const asNotification = (input: NotificationInput): NewNotification => input as NewNotification;
