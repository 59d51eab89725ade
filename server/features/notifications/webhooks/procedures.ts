import { eventTypesOf } from "#domain/webhook.ts";
import { requireRecentLogin } from "#server/features/sessions/recent-login.ts";
import { actorOf, done, sessionActorOf, signedIn } from "#server/procedures.ts";
import {
  addWebhook,
  changeWebhook,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  rotateSecret,
  sendAgain,
  sendTest,
} from "./commands.ts";
import { listDeliveries, listWebhooks } from "./queries.ts";

export const webhooks = {
  mine: signedIn.webhooks.mine.handler(async ({ context: { services, session } }) => ({
    webhooks: await listWebhooks(services.database.db, session.userId),
    events: [...eventTypesOf(session.role)],
  })),

  add: signedIn.webhooks.add.handler(async ({ input, context }) => {
    requireRecentLogin(context.session);
    return await addWebhook(context.services, sessionActorOf(context), input);
  }),

  change: signedIn.webhooks.change.handler(async ({ input, context }) => {
    requireRecentLogin(context.session);
    await changeWebhook(context.services, actorOf(context), input.id, input);
    return done;
  }),

  pause: signedIn.webhooks.pause.handler(async ({ input, context }) => {
    await pauseWebhook(context.services, actorOf(context), input.id);
    return done;
  }),

  resume: signedIn.webhooks.resume.handler(async ({ input, context }) => {
    requireRecentLogin(context.session);
    await resumeWebhook(context.services, actorOf(context), input.id);
    return done;
  }),

  rotateSecret: signedIn.webhooks.rotateSecret.handler(async ({ input, context }) => {
    requireRecentLogin(context.session);
    return { secret: await rotateSecret(context.services, actorOf(context), input.id) };
  }),

  remove: signedIn.webhooks.remove.handler(async ({ input, context }) => {
    requireRecentLogin(context.session);
    await removeWebhook(context.services, actorOf(context), input.id);
    return done;
  }),

  sendTest: signedIn.webhooks.sendTest.handler(async ({ input, context }) => {
    await sendTest(context.services, actorOf(context), input.id);
    return done;
  }),

  deliveries: signedIn.webhooks.deliveries.handler(async ({ input, context: { services, session } }) => ({
    deliveries: await listDeliveries(services.database.db, session.userId, input.id),
  })),

  sendAgain: signedIn.webhooks.sendAgain.handler(async ({ input, context }) => {
    await sendAgain(context.services, actorOf(context), input.id);
    return done;
  }),
};
