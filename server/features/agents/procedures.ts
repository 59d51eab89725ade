import type { Problem } from "#domain/error-catalogue.ts";
import { cursorForm, cursorTime } from "#server/platform/cursor.ts";
import { actorOf, admin, cursorOf, done, problemRefusal, refusal } from "#server/procedures.ts";
import { type DecisionOutcome, decideOnAgent, liftDenial, resendToAgent } from "./commands.ts";
import { countAgents, listAgents } from "./queries.ts";

function answer(outcome: DecisionOutcome | Problem) {
  if (typeof outcome === "object") throw problemRefusal(outcome);
  switch (outcome) {
    case "done":
      return done;
    case "notFound":
      throw refusal("not-found");
    case "notPossible":
      throw refusal("failed-precondition");
    case "unverified":
      throw refusal("agent/unverified");
    case "notAllowed":
      throw refusal("permission-denied");
  }
}

export const agents = {
  counts: admin.agents.counts.handler(async ({ context }) => await countAgents(context.services.database.db)),

  list: admin.agents.list.handler(async ({ input, context }) => {
    const cursor = cursorOf(input.cursor, cursorForm(cursorTime));
    return await listAgents(context.services.database.db, input.tab, cursor);
  }),

  approve: admin.agents.approve.handler(async ({ input, context }) =>
    answer(await decideOnAgent(context.services, actorOf(context), "approve", input.id)),
  ),
  deny: admin.agents.deny.handler(async ({ input, context }) =>
    answer(await decideOnAgent(context.services, actorOf(context), "deny", input.id, input.reason)),
  ),
  revoke: admin.agents.revoke.handler(async ({ input, context }) =>
    answer(await decideOnAgent(context.services, actorOf(context), "revoke", input.id, input.reason)),
  ),
  resendVerification: admin.agents.resendVerification.handler(async ({ input, context }) => {
    const outcome = await resendToAgent(context.services, input.id);
    if (outcome.kind === "notFound") throw refusal("not-found");
    if (outcome.kind === "locked") throw refusal("resource-exhausted", { retryAfter: outcome.retryAfter });
    return done;
  }),
  liftDenial: admin.agents.liftDenial.handler(async ({ input, context }) =>
    answer(await liftDenial(context.services, actorOf(context), input.id)),
  ),
};
