import { cursorForm, cursorTime } from "#server/platform/cursor.ts";
import { actorOf, admin, cursorOf, done, inTurn } from "#server/procedures.ts";
import { decideOnAgent, liftDenial, resendToAgent } from "./commands.ts";
import { countAgents, listAgents } from "./queries.ts";

export const agents = {
  counts: admin.agents.counts.handler(async ({ context }) => await countAgents(context.services.database.db)),

  list: admin.agents.list.handler(async ({ input, context }) => {
    const cursor = cursorOf(input.cursor, cursorForm(cursorTime));
    return await listAgents(context.services.database, { ...input, cursor }, (search) =>
      inTurn(context, search),
    );
  }),

  approve: admin.agents.approve.handler(async ({ input, context }) => {
    await decideOnAgent(context.services, actorOf(context), "approve", input.id);
    return done;
  }),
  deny: admin.agents.deny.handler(async ({ input, context }) => {
    await decideOnAgent(context.services, actorOf(context), "deny", input.id, input.reason);
    return done;
  }),
  revoke: admin.agents.revoke.handler(async ({ input, context }) => {
    await decideOnAgent(context.services, actorOf(context), "revoke", input.id, input.reason);
    return done;
  }),
  resendVerification: admin.agents.resendVerification.handler(async ({ input, context }) => {
    await resendToAgent(context.services, input.id);
    return done;
  }),
  liftDenial: admin.agents.liftDenial.handler(async ({ input, context }) => {
    await liftDenial(context.services, actorOf(context), input.id);
    return done;
  }),
};
