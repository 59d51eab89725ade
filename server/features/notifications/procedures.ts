import { z } from "zod";
import { notificationKindsOf } from "#domain/notification.ts";
import { cursorOf, done, signedIn, visitor } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { markAllRead, markRead, setMailSwitch, unsubscribe } from "./commands.ts";
import { countUnread, listNotifications, mailSwitchesOf } from "./queries.ts";

/** The id of the last entry that was shown. */
const entryCursor = z.tuple([z.int().nonnegative()]).transform(([number]) => number);

export const notifications = {
  list: signedIn.notifications.list.handler(async ({ input, context }) => {
    const { services, session } = context;
    const below = cursorOf(input.cursor, entryCursor);
    return await listNotifications(services.database.db, session.userId, below, input.limit);
  }),

  unread: signedIn.notifications.unread.handler(async ({ context }) => ({
    unread: await countUnread(context.services.database.db, context.session.userId),
  })),

  markRead: signedIn.notifications.markRead.handler(async ({ input, context }) => {
    await markRead(context.services, context.session.userId, input.ids);
    return done;
  }),

  markAllRead: signedIn.notifications.markAllRead.handler(async ({ input, context }) => {
    await markAllRead(context.services, context.session.userId, input.upTo);
    return done;
  }),

  mailSwitches: signedIn.notifications.mailSwitches.handler(async ({ context }) => {
    const { services, session } = context;
    return { switches: await mailSwitchesOf(services.database.db, session.userId, session.role) };
  }),

  setMailSwitch: signedIn.notifications.setMailSwitch.handler(async ({ input, context }) => {
    const { services, session } = context;
    if (!notificationKindsOf[session.role].includes(input.kind)) throw new Refusal("not-found");
    await setMailSwitch(services, session.userId, input.kind, input.on);
    return done;
  }),

  unsubscribe: visitor.notifications.unsubscribe.handler(async ({ input, context: { services } }) => {
    const subscription = services.unsubscribeLinks.read(input.token);
    if (!subscription) throw new Refusal("auth/invalid-action-code");
    await unsubscribe(services, subscription);
    return { kinds: subscription.kinds };
  }),
};
