import { refundFailure } from "#server/features/account/allowance.ts";
import { setDisabled } from "#server/features/account/commands/set-disabled.ts";
import { countAgentPace } from "#server/features/assignments/commands/agent-pace.ts";
import { assignAgent } from "#server/features/assignments/commands/assign-agent.ts";
import { handOverStudents } from "#server/features/assignments/commands/move-students.ts";
import { agentChoices } from "#server/features/assignments/queries.ts";
import { studentFilePath } from "#server/features/documents/links.ts";
import { maySeeDocumentsOf } from "#server/features/documents/queries.ts";
import { actorOf, cursorOf, done, inTurn, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { listStudents, studentCursor } from "./list-students.ts";
import { readIdentity } from "./read-identity.ts";
import { studentDashboard } from "./student-dashboard.ts";
import { studentDetails } from "./student-details.ts";
import { waitingFor } from "./waiting.ts";

export const students = {
  dashboard: signedIn.students.dashboard.handler(async ({ context }) => {
    const dashboard = await studentDashboard(context.services.database.db, context.session.userId);
    if (!dashboard) throw new Refusal("unauthenticated");
    return dashboard;
  }),

  list: signedIn.students.list.handler(async ({ input, context }) => {
    const { services, session } = context;
    const query = { ...input, cursor: cursorOf(input.cursor, studentCursor) };
    return await listStudents(services.database, session.userId, query, (search) => inTurn(context, search));
  }),

  details: signedIn.students.details.handler(async ({ input, context }) => {
    const details = await studentDetails(context.services.database.db, input.studentId);
    if (!details) throw new Refusal("not-found");
    return details;
  }),

  identity: signedIn.students.identity.handler(async ({ input, context }) => {
    const { services, session } = context;
    const allowance = await countAgentPace(services, session, "look");
    return await refundFailure(allowance, readIdentity(services, actorOf(context), input.studentId));
  }),

  fileLink: signedIn.students.fileLink.handler(async ({ input: { studentId }, context }) => {
    const { services, session } = context;
    if (!(await maySeeDocumentsOf(services.database.db, session, studentId))) throw new Refusal("not-found");
    await countAgentPace(services, session, "look");
    const path = studentFilePath(studentId);
    return services.fileLinks.make({ path, mode: "download", sessionId: session.id });
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

  setDisabled: signedIn.students.setDisabled.handler(async ({ input, context }) => {
    await setDisabled(context.services, actorOf(context), input);
    return done;
  }),

  handOver: signedIn.students.handOver.handler(async ({ input, context }) => ({
    students: await handOverStudents(context.services, actorOf(context), input),
  })),

  waiting: signedIn.students.waiting.handler(
    async ({ input, context }) =>
      await waitingFor(context.services.database.db, context.session.userId, input.all),
  ),
};
