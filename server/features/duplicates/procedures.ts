import { actorOf, done, inTurn, signedIn } from "#server/procedures.ts";
import { decideDuplicates, reopenDuplicates } from "./commands.ts";
import { listDuplicates } from "./queries.ts";

export const duplicates = {
  list: signedIn.duplicates.list.handler(({ input, context }) =>
    inTurn(context, () => listDuplicates(context.services.database.searchDb, input.show)),
  ),

  decide: signedIn.duplicates.decide.handler(async ({ input, context }) => ({
    id: await decideDuplicates(context.services, actorOf(context), input),
  })),

  reopen: signedIn.duplicates.reopen.handler(async ({ input, context }) => {
    await reopenDuplicates(context.services, actorOf(context), input.id);
    return done;
  }),
};
