import { actorOf, cursorOf, done, inTurn, signedIn } from "#server/procedures.ts";
import { answerReport, sendReport } from "./commands.ts";
import { listPairs } from "./pairs.ts";
import { listReports, reportCursor } from "./queries.ts";

export const tradeReports = {
  send: signedIn.tradeReports.send.handler(async ({ input, context }) => {
    await sendReport(context.services, actorOf(context), input);
    return done;
  }),

  list: signedIn.tradeReports.list.handler(async ({ input: { show, cursor, limit }, context }) =>
    listReports(context.services.database.db, show, cursorOf(cursor, reportCursor), limit),
  ),

  answer: signedIn.tradeReports.answer.handler(async ({ input, context }) => {
    await answerReport(context.services, actorOf(context), input);
    return done;
  }),

  pairs: signedIn.tradeReports.pairs.handler(({ context }) =>
    inTurn(context, async () => ({ pairs: await listPairs(context.services.database.searchDb) })),
  ),
};
