import { refundFailure } from "#server/features/account/allowance.ts";
import { actorOf, done, signedIn } from "#server/procedures.ts";
import { countAgentPace } from "./commands/agent-pace.ts";
import { assignAgent } from "./commands/assign-agent.ts";
import { handOverStudents } from "./commands/move-students.ts";
import { readIdentity } from "./commands/read-identity.ts";
import { agentChoices } from "./queries.ts";

export const students = {
  identity: signedIn.students.identity.handler(async ({ input, context }) => {
    const { services, session } = context;
    const allowance = await countAgentPace(services, session, "look");
    return await refundFailure(allowance, readIdentity(services, actorOf(context), input.studentId));
  }),

  agents: signedIn.students.agents.handler(async ({ input, context }) => ({
    agents: await agentChoices(context.services.database.db, input.search),
  })),

  assign: signedIn.students.assign.handler(async ({ input: { studentId, ...wish }, context }) => {
    const { services, session } = context;
    const isOwn = wish.agentId === session.userId;
    const allowance = isOwn ? await countAgentPace(services, session, "assignment") : null;
    const assigning = assignAgent(services, actorOf(context), studentId, wish);
    if ((await refundFailure(allowance, assigning)) === "unchanged") await allowance?.refund();
    return done;
  }),

  handOver: signedIn.students.handOver.handler(async ({ input, context }) => ({
    students: await handOverStudents(context.services, actorOf(context), input),
  })),
};
