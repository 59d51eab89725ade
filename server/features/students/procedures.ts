import type { AssignmentOutcome } from "#domain/assignment.ts";
import { studentFilePath } from "#server/features/documents/links.ts";
import { maySeeDocumentsOf } from "#server/features/documents/queries.ts";
import { cursorForm, cursorText } from "#server/platform/cursor.ts";
import {
  actorOf,
  admin,
  approvedAgent,
  cursorOf,
  done,
  guide,
  inTurn,
  refusal,
  student,
  tooManyRefusal,
} from "#server/procedures.ts";
import { agentPace, paceMessages } from "./commands/agent-pace.ts";
import { assignAgent } from "./commands/assign-agent.ts";
import { handOverStudents } from "./commands/hand-over.ts";
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
    const { services, session } = context;
    const query = { ...input, cursor: cursorOf(input.cursor, cursorForm(cursorText)) };
    return await listStudents(services.database, session.userId, query, (search) => inTurn(context, search));
  }),

  details: guide.students.details.handler(async ({ input, context }) => {
    const details = await studentDetails(context.services.database.db, input.studentId);
    if (!details) throw refusal("not-found");
    return details;
  }),

  identity: guide.students.identity.handler(async ({ input, context }) => {
    const { services, session } = context;
    const pace = await agentPace(services, session, "look");
    if (pace.kind === "locked") throw tooManyRefusal(context, pace.retryAfter, paceMessages.look);
    const identity = await readIdentity(services, actorOf(context), input.studentId);
    if (identity) return identity;
    await pace.refund();
    throw refusal("not-found");
  }),

  fileLink: guide.students.fileLink.handler(async ({ input: { studentId }, context }) => {
    const { services, session } = context;
    if (!(await maySeeDocumentsOf(services.database.db, session, studentId))) throw refusal("not-found");
    const pace = await agentPace(services, session, "look");
    if (pace.kind === "locked") throw tooManyRefusal(context, pace.retryAfter, paceMessages.look);
    const path = studentFilePath(studentId);
    return services.fileLinks.make({ path, mode: "download", sessionId: session.id });
  }),

  agents: guide.students.agents.handler(async ({ input, context }) => ({
    agents: await agentChoices(context.services.database.db, input.search),
  })),

  assign: guide.students.assign.handler(async ({ input: { studentId, ...wish }, context }) => {
    const { services, session } = context;
    const assign = () => assignAgent(services, actorOf(context), studentId, wish);
    if (wish.agentId !== session.userId) return answer(await assign());
    const pace = await agentPace(services, session, "assignment");
    if (pace.kind === "locked") throw tooManyRefusal(context, pace.retryAfter, paceMessages.assignment);
    const outcome = await assign();
    if (outcome !== "assigned") await pace.refund();
    return answer(outcome);
  }),

  setDisabled: admin.students.setDisabled.handler(async ({ input, context }) =>
    answer(await setDisabled(context.services, actorOf(context), input)),
  ),

  handOver: admin.students.handOver.handler(async ({ input, context }) => {
    const outcome = await handOverStudents(context.services, actorOf(context), input);
    switch (outcome.kind) {
      case "done":
        return { students: outcome.students };
      case "notFound":
        throw refusal("not-found");
      case "noAgent":
        throw refusal("failed-precondition");
      case "notAllowed":
        throw refusal("permission-denied");
    }
  }),

  waiting: approvedAgent.students.waiting.handler(
    async ({ input, context }) =>
      await waitingFor(context.services.database.db, context.session.userId, input.all),
  ),
};
