import { decodeCursor, encodeCursor } from "#server/platform/cursor.ts";
import { actorOf, admin, done, refusal } from "#server/procedures.ts";
import { type DecisionOutcome, decideOnAgent, liftDenial } from "./commands.ts";
import { countAgents, listAgents } from "./queries.ts";

function answer(outcome: DecisionOutcome) {
  switch (outcome) {
    case "done":
      return done;
    case "notFound":
      throw refusal("not-found");
    case "notPossible":
      throw refusal("failed-precondition");
    case "notAllowed":
      throw refusal("permission-denied");
  }
}

export const agents = {
  counts: admin.agents.counts.handler(async ({ context }) => await countAgents(context.services.database.db)),

  list: admin.agents.list.handler(async ({ input, context }) => {
    const cursor = input.cursor === undefined ? null : decodeCursor(input.cursor);
    if (input.cursor !== undefined && cursor === null) throw refusal("invalid-argument");
    const page = await listAgents(context.services.database.db, input.tab, cursor);
    return { agents: page.agents, next: page.next && encodeCursor(page.next) };
  }),

  approve: admin.agents.approve.handler(async ({ input, context }) =>
    answer(await decideOnAgent(context.services, actorOf(context), "approve", input.id)),
  ),
  deny: admin.agents.deny.handler(async ({ input, context }) =>
    answer(await decideOnAgent(context.services, actorOf(context), "deny", input.id)),
  ),
  revoke: admin.agents.revoke.handler(async ({ input, context }) =>
    answer(await decideOnAgent(context.services, actorOf(context), "revoke", input.id)),
  ),
  liftDenial: admin.agents.liftDenial.handler(async ({ input, context }) =>
    answer(await liftDenial(context.services, actorOf(context), input.id)),
  ),
};
