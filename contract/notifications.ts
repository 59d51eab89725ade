import { z } from "zod";
import { notificationKinds } from "#domain/notification.ts";
import { mostUnread, notificationsPerPage } from "#protocol/page-sizes.ts";
import { done, guarded, open, pageOf, text } from "./base.ts";
import { declared } from "./errors.ts";

/** An entry of the bell: `about` holds the values in the kind's sentence, `path` is the page that it leads to. */
const entry = z
  .object({
    id: z.number().int(),
    kind: z.enum(notificationKinds),
    about: z.record(z.string(), z.string()),
    path: z.string(),
    createdAt: z.date(),
    read: z.boolean(),
  })
  .meta({ title: "Notification" });
export type NotificationEntry = z.infer<typeof entry>;

const entryId = z.number().int().positive().safe();

const mailSwitch = z
  .object({ kind: z.enum(notificationKinds), on: z.boolean() })
  .meta({ title: "EmailSwitch" });

/** The caller's bell, and the emails that they want. */
export const notifications = {
  list: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/notifications",
      summary: "List your notifications",
      description:
        "Returns the notifications that your bell shows, newest first, 30 per page. `path` is the page that a notification leads to.",
    })
    .input(z.object({ ...pageOf(notificationsPerPage) }))
    .output(z.object({ entries: z.array(entry), next: z.string().nullable() })),
  unread: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/notifications/unread",
      summary: "Count your unread notifications",
      description: "Unread notifications are counted up to 100.",
    })
    .output(z.object({ unread: z.number().int() })),
  markRead: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/notifications/read",
      summary: "Mark notifications as read",
      description: "Marks the notifications with these `ids` as read.",
    })
    .input(z.object({ ids: z.array(entryId).max(mostUnread + 1) }))
    .output(done),
  markAllRead: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/notifications/read-up-to",
      summary: "Mark all notifications up to one as read",
      description: "Marks the notification with the id `upTo`, and all older ones, as read.",
    })
    .input(z.object({ upTo: entryId }))
    .output(done),
  mailSwitches: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/notifications/emails",
      summary: "List which notifications are also emailed",
      description: "Returns every kind of notification that your role gets, and whether its emails are on.",
    })
    .output(z.object({ switches: z.array(mailSwitch) })),
  setMailSwitch: guarded({ who: "signedIn" })
    .route({
      method: "PUT",
      path: "/notifications/emails",
      summary: "Turn emails of a kind on or off",
      description: "The bell shows notifications of this kind in either case.",
    })
    .errors(declared("not-found"))
    .input(mailSwitch)
    .output(done),
  /** Switches off the kinds of emails that an emailed link names, without login. */
  unsubscribe: open
    .errors(declared("auth/invalid-action-code"))
    .input(z.object({ token: text(1000) }))
    .output(z.object({ kinds: z.array(z.enum(notificationKinds)) })),
};
