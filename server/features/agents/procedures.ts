import { changeRequestCursor, openChangeRequests } from "#server/features/assignments/change-requests.ts";
import { decideChange } from "#server/features/assignments/commands/change-of-agent.ts";
import { actorOf, cursorOf, done, inTurn, signedIn } from "#server/procedures.ts";
import { decideOnAgent, liftDenial, resendToAgent } from "./commands.ts";
import { agentCursor, countAgents, listAgents } from "./queries.ts";

export const agents = {
  counts: signedIn.agents.counts.handler(
    async ({ context }) => await countAgents(context.services.database.db),
  ),

  list: signedIn.agents.list.handler(async ({ input, context }) => {
    const cursor = cursorOf(input.cursor, agentCursor);
    return await listAgents(context.services.database, { ...input, cursor }, (search) =>
      inTurn(context, search),
    );
  }),

  approve: signedIn.agents.approve.handler(async ({ input, context }) => {
    await decideOnAgent(context.services, actorOf(context), "approve", input.id);
    return done;
  }),
  deny: signedIn.agents.deny.handler(async ({ input, context }) => {
    await decideOnAgent(context.services, actorOf(context), "deny", input.id, input.reason);
    return done;
  }),
  revoke: signedIn.agents.revoke.handler(async ({ input, context }) => {
    await decideOnAgent(context.services, actorOf(context), "revoke", input.id, input.reason);
    return done;
  }),
  resendVerification: signedIn.agents.resendVerification.handler(async ({ input, context }) => {
    await resendToAgent(context.services, input.id);
    return done;
  }),
  liftDenial: signedIn.agents.liftDenial.handler(async ({ input, context }) => {
    await liftDenial(context.services, actorOf(context), input.id);
    return done;
  }),

  changeRequests: signedIn.agents.changeRequests.handler(async ({ input, context }) => {
    const cursor = cursorOf(input.cursor, changeRequestCursor);
    return await openChangeRequests(context.services.database.db, { ...input, cursor });
  }),
  decideChange: signedIn.agents.decideChange.handler(async ({ input, context }) => {
    await decideChange(context.services, actorOf(context), input);
    return done;
  }),
};
