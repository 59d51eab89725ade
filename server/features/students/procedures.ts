import { isAdmin, maySeeIdentity } from "#domain/permission.ts";
import { refundFailure, requireAllowance } from "#server/features/account/allowance.ts";
import { setDisabled } from "#server/features/account/commands/set-disabled.ts";
import { countAgentPace } from "#server/features/assignments/commands/agent-pace.ts";
import { assignAgent } from "#server/features/assignments/commands/assign-agent.ts";
import { askForChange, withdrawChange } from "#server/features/assignments/commands/change-of-agent.ts";
import { requireViewReason } from "#server/features/assignments/commands/look-reason.ts";
import { handOverStudents } from "#server/features/assignments/commands/move-students.ts";
import { sharePapers } from "#server/features/assignments/commands/share-papers.ts";
import { agentChoices, studentById } from "#server/features/assignments/queries.ts";
import { studentFilePath } from "#server/features/documents/links.ts";
import { handoverNote } from "#server/features/notes/commands.ts";
import { actorOf, cursorOf, done, inTurn, sessionActorOf, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { prepareExport, studentExportPath } from "./export-students.ts";
import { studentFigures } from "./figures.ts";
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
    const { services, session } = context;
    const viewer = { ...session, id: session.userId };
    const details = await studentDetails(services.database.db, viewer, input.studentId);
    if (!details) throw new Refusal("not-found");
    return details;
  }),

  identity: signedIn.students.identity.handler(async ({ input, context }) => {
    const { services, session } = context;
    const allowance = await countAgentPace(services, session, "look");
    return await refundFailure(allowance, readIdentity(services, sessionActorOf(context), input.studentId));
  }),

  fileLink: signedIn.students.fileLink.handler(async ({ input: { studentId }, context }) => {
    const { services, session } = context;
    const { db } = services.database;
    const student = await studentById(db, studentId);
    if (!student || !maySeeIdentity({ ...session, id: session.userId }, student))
      throw new Refusal("not-found");
    await requireViewReason(db, session, student);
    await countAgentPace(services, session, "look");
    const path = studentFilePath(studentId);
    return services.fileLinks.make({ path, mode: "download", sessionId: session.id });
  }),

  exportLink: signedIn.students.exportLink.handler(async ({ input, context }) => {
    const { services, session } = context;
    const allowance = requireAllowance(await services.limits.studentExport(session.userId));
    const id = await refundFailure(allowance, prepareExport(services, actorOf(context), input));
    return services.fileLinks.make({ path: studentExportPath(id), mode: "download", sessionId: session.id });
  }),

  agents: signedIn.students.agents.handler(async ({ input, context }) => ({
    agents: await agentChoices(context.services.database.db, input.search),
  })),

  assign: signedIn.students.assign.handler(async ({ input: { studentId, note, ...assignment }, context }) => {
    const { services, session } = context;
    const alongside = handoverNote(actorOf(context), note);
    // An agent who takes a student on has had nothing to hand over.
    if (alongside && assignment.expectedAgentId === null && !isAdmin(session))
      throw new Refusal("permission-denied");
    const isOwn = assignment.agentId === session.userId;
    const allowance = isOwn ? await countAgentPace(services, session, "assignment") : null;
    const assigning = assignAgent(services, actorOf(context), studentId, assignment, alongside);
    if ((await refundFailure(allowance, assigning)) === "unchanged") await allowance?.refund();
    return done;
  }),

  setDisabled: signedIn.students.setDisabled.handler(async ({ input, context }) => {
    await setDisabled(context.services, actorOf(context), input);
    return done;
  }),

  handOver: signedIn.students.handOver.handler(async ({ input: { note, ...agents }, context }) => {
    const actor = actorOf(context);
    const alongside = handoverNote(actor, note);
    return { students: await handOverStudents(context.services, actor, agents, alongside) };
  }),

  figures: signedIn.students.figures.handler(
    async ({ context: { services, session } }) =>
      await studentFigures(services.database.db, session.userId, isAdmin(session) ? null : session.userId),
  ),

  waiting: signedIn.students.waiting.handler(
    async ({ input, context }) =>
      await waitingFor(context.services.database.db, context.session.userId, input.all),
  ),

  setSharing: signedIn.students.setSharing.handler(async ({ input, context }) => {
    await sharePapers(context.services, actorOf(context), input.shares);
    return done;
  }),

  askForChange: signedIn.students.askForChange.handler(async ({ input, context }) => {
    const { services, session } = context;
    const allowance = requireAllowance(await services.limits.agentChange(session.userId));
    await refundFailure(allowance, askForChange(services, actorOf(context), input.reason));
    return done;
  }),

  withdrawChange: signedIn.students.withdrawChange.handler(async ({ context }) => {
    await withdrawChange(context.services, actorOf(context));
    return done;
  }),
};
