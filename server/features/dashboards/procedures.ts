import { studentFilePath } from "#server/features/documents/links.ts";
import { maySeeDocumentsOf } from "#server/features/documents/queries.ts";
import { countAgentPace } from "#server/features/students/commands/agent-pace.ts";
import { cursorForm, cursorText } from "#server/platform/cursor.ts";
import { cursorOf, inTurn, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { listStudents } from "./list-students.ts";
import { studentDashboard } from "./student-dashboard.ts";
import { studentDetails } from "./student-details.ts";
import { waitingFor } from "./waiting.ts";

/** Procedures under `students` in the contract that combine several features' data about students. */
export const dashboards = {
  dashboard: signedIn.students.dashboard.handler(async ({ context }) => {
    const dashboard = await studentDashboard(context.services.database.db, context.session.userId);
    if (!dashboard) throw new Refusal("unauthenticated");
    return dashboard;
  }),

  list: signedIn.students.list.handler(async ({ input, context }) => {
    const { services, session } = context;
    const query = { ...input, cursor: cursorOf(input.cursor, cursorForm(cursorText)) };
    return await listStudents(services.database, session.userId, query, (search) => inTurn(context, search));
  }),

  details: signedIn.students.details.handler(async ({ input, context }) => {
    const details = await studentDetails(context.services.database.db, input.studentId);
    if (!details) throw new Refusal("not-found");
    return details;
  }),

  fileLink: signedIn.students.fileLink.handler(async ({ input: { studentId }, context }) => {
    const { services, session } = context;
    if (!(await maySeeDocumentsOf(services.database.db, session, studentId))) throw new Refusal("not-found");
    await countAgentPace(services, session, "look");
    const path = studentFilePath(studentId);
    return services.fileLinks.make({ path, mode: "download", sessionId: session.id });
  }),

  waiting: signedIn.students.waiting.handler(
    async ({ input, context }) =>
      await waitingFor(context.services.database.db, context.session.userId, input.all),
  ),
};
