import { notificationKindsOf } from "#domain/notification.ts";
import { done, refusal, signedIn, visitor } from "#server/procedures.ts";
import { markAllRead, markRead, setMailSwitch, unsubscribe } from "./commands.ts";
import { countUnread, listNotifications, mailSwitchesOf } from "./queries.ts";

/** The number of an entry as a browser sends it back; null when it is none. */
function placeIn(cursor: string): number | null {
  const place = /^\d{1,16}$/.test(cursor) ? Number(cursor) : Number.NaN;
  return Number.isSafeInteger(place) ? place : null;
}

export const notifications = {
  list: signedIn.notifications.list.handler(async ({ input, context }) => {
    const below = input.cursor === undefined ? null : placeIn(input.cursor);
    if (input.cursor !== undefined && below === null) throw refusal("invalid-argument");
    const { services, session } = context;
    const { entries, next } = await listNotifications(services.database.db, session.userId, below);
    return { entries, next: next === null ? null : String(next) };
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
    if (!notificationKindsOf[session.role].includes(input.kind)) throw refusal("not-found");
    await setMailSwitch(services, session.userId, input.kind, input.on);
    return done;
  }),

  unsubscribe: visitor.notifications.unsubscribe.handler(async ({ input, context: { services } }) => {
    const subscription = services.unsubscribeLinks.read(input.token);
    if (!subscription) throw refusal("auth/invalid-action-code");
    await unsubscribe(services, subscription);
    return { kinds: subscription.kinds };
  }),
};
