import { pushKindsOf } from "#domain/push.ts";
import { done, sessionActorOf, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { renew, setPushSwitch, subscribe, unsubscribe } from "./commands.ts";
import { isSubscribed, pushSwitchesOf } from "./queries.ts";

export const push = {
  settings: signedIn.push.settings.handler(async ({ input: { endpoint }, context }) => {
    const { services, session } = context;
    const { db } = services.database;
    return {
      subscribed: endpoint !== null && (await isSubscribed(db, session, endpoint)),
      switches: await pushSwitchesOf(db, session.userId, session.role),
    };
  }),

  subscribe: signedIn.push.subscribe.handler(async ({ input, context }) => {
    await subscribe(context.services, sessionActorOf(context), input);
    return done;
  }),

  renew: signedIn.push.renew.handler(async ({ input, context }) => ({
    renewed: await renew(context.services, sessionActorOf(context), input),
  })),

  unsubscribe: signedIn.push.unsubscribe.handler(async ({ input, context }) => {
    await unsubscribe(context.services, context.session.userId, input.endpoint);
    return done;
  }),

  setSwitch: signedIn.push.setSwitch.handler(async ({ input, context }) => {
    const { services, session } = context;
    if (!pushKindsOf(session.role).includes(input.kind)) throw new Refusal("not-found");
    await setPushSwitch(services, session.userId, input.kind, input.on);
    return done;
  }),
};
