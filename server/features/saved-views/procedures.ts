import { actorOf, done, inTurn, signedIn } from "#server/procedures.ts";
import { removeView, saveView, viewById, viewsOf } from "./views.ts";

export const savedViews = {
  list: signedIn.savedViews.list.handler(async ({ context: { services, session } }) => ({
    views: await viewsOf(services.database.db, session),
  })),

  save: signedIn.savedViews.save.handler(
    async ({ input, context }) => await saveView(context.services.database, actorOf(context), input),
  ),

  remove: signedIn.savedViews.remove.handler(async ({ input, context }) => {
    await removeView(context.services.database, actorOf(context), input.id);
    return done;
  }),

  count: signedIn.savedViews.count.handler(async ({ input, context }) => {
    const { services, session } = context;
    const { view } = await viewById(services.database.db, session, input.id);
    return await inTurn(context, () => services.studentCounts({ viewerId: session.userId, view }));
  }),
};
