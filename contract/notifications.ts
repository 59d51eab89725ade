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
      summary: "Your notifications",
      description:
        "What your bell shows, newest first, 30 at a time. `path` is the page that an entry leads to.",
    })
    .input(z.object({ ...pageOf(notificationsPerPage) }))
    .output(z.object({ entries: z.array(entry), next: z.string().nullable() })),
  unread: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/notifications/unread",
      summary: "Number of unread notifications",
      description: "Counted up to 100.",
    })
    .output(z.object({ unread: z.number().int() })),
  markRead: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/notifications/read",
      summary: "Mark notifications as read",
      description: "Those with the ids that you name.",
    })
    .input(z.object({ ids: z.array(entryId).max(mostUnread + 1) }))
    .output(done),
  markAllRead: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/notifications/read-up-to",
      summary: "Mark all notifications up to one as read",
      description: "Everything that is as old as the entry with this id, or older.",
    })
    .input(z.object({ upTo: entryId }))
    .output(done),
  mailSwitches: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/notifications/emails",
      summary: "Which notifications are also emailed",
      description: "Every kind of notification that your role gets, with its switch.",
    })
    .output(z.object({ switches: z.array(mailSwitch) })),
  setMailSwitch: guarded({ who: "signedIn" })
    .route({
      method: "PUT",
      path: "/notifications/emails",
      summary: "Switch emails of a kind on or off",
      description: "The bell shows notifications of this kind either way.",
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
