import { giveLookReason } from "#server/features/assignments/commands/look-reason.ts";
import { cursorOf, done, sessionActorOf, signedIn } from "#server/procedures.ts";
import { accessesTo, lookCursor } from "./queries.ts";

export const looks = {
  mine: signedIn.looks.mine.handler(async ({ input, context }) => {
    const { services, session } = context;
    const from = cursorOf(input.cursor, lookCursor);
    return await accessesTo(services.database.db, session.userId, from, input.limit);
  }),

  giveReason: signedIn.looks.giveReason.handler(async ({ input, context }) => {
    await giveLookReason(context.services, sessionActorOf(context), input);
    return done;
  }),
};
