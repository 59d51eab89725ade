import type { AssignmentOutcome } from "#domain/assignment.ts";
import { decodeTextCursor, encodeTextCursor } from "#server/platform/cursor.ts";
import { actorOf, admin, approvedAgent, done, guide, refusal, student } from "#server/procedures.ts";
import { assignAgent } from "./commands/assign-agent.ts";
import { readIdentity } from "./commands/read-identity.ts";
import { type DisablingResult, setDisabled } from "./commands/set-disabled.ts";
import { agentChoices } from "./queries/agent-choices.ts";
import { listStudents } from "./queries/list-students.ts";
import { ownDesk } from "./queries/own-desk.ts";
import { studentDetails } from "./queries/student-details.ts";
import { waitingFor } from "./queries/waiting.ts";

function answer(outcome: AssignmentOutcome | DisablingResult) {
  switch (outcome) {
    case "assigned":
    case "unassigned":
    case "unchanged":
    case "done":
      return done;
    case "notFound":
      throw refusal("not-found");
    case "changed":
    case "noAgent":
    case "notPossible":
      throw refusal("failed-precondition");
    case "notAllowed":
      throw refusal("permission-denied");
  }
}

export const students = {
  desk: student.students.desk.handler(async ({ context }) => {
    const desk = await ownDesk(context.services.database.db, context.session.userId);
    if (!desk) throw refusal("unauthenticated");
    return desk;
  }),

  list: guide.students.list.handler(async ({ input, context }) => {
    const cursor = input.cursor === undefined ? null : decodeTextCursor(input.cursor);
    if (input.cursor !== undefined && cursor === null) throw refusal("invalid-argument");
    const { services, session } = context;
    const page = await listStudents(services.database.db, session.userId, { ...input, cursor });
    return { students: page.students, next: page.next && encodeTextCursor(page.next) };
  }),

  details: guide.students.details.handler(async ({ input, context }) => {
    const details = await studentDetails(context.services.database.db, input.studentId);
    if (!details) throw refusal("not-found");
    return details;
  }),

  identity: guide.students.identity.handler(async ({ input, context }) => {
    const identity = await readIdentity(context.services, actorOf(context), input.studentId);
    if (!identity) throw refusal("not-found");
    return identity;
  }),

  agents: guide.students.agents.handler(async ({ input, context }) => ({
    agents: await agentChoices(context.services.database.db, input.search),
  })),

  assign: guide.students.assign.handler(async ({ input: { studentId, ...wish }, context }) =>
    answer(await assignAgent(context.services, actorOf(context), studentId, wish)),
  ),

  setDisabled: admin.students.setDisabled.handler(async ({ input, context }) =>
    answer(await setDisabled(context.services, actorOf(context), input.userId, input.disabled)),
  ),

  waiting: approvedAgent.students.waiting.handler(
    async ({ context }) => await waitingFor(context.services.database.db, context.session.userId),
  ),
};
