import { isHalted, moverOf } from "#domain/application-step.ts";
import { mayFollow } from "#domain/permission.ts";
import { studentById } from "#server/features/assignments/queries.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { actorOf, done, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { moveApplication, submitApplication } from "./commands.ts";
import { confirmationProcedures } from "./confirmations/procedures.ts";
import { applicationById, applicationsOf, lastStateBefore, stepsOf, studentOf } from "./queries.ts";

const viewerOf = (session: Session) => ({ ...session, id: session.userId });

export const applications = {
  ...confirmationProcedures,

  submit: signedIn.applications.submit.handler(
    async ({ input, context }) => await submitApplication(context.services, actorOf(context), input),
  ),

  mine: signedIn.applications.mine.handler(async ({ context }) => ({
    applications: await applicationsOf(context.services.database.db, context.session.userId),
  })),

  ofStudent: signedIn.applications.ofStudent.handler(async ({ input, context }) => {
    const { db } = context.services.database;
    const viewer = viewerOf(context.session);
    const student = mayFollow(viewer, input.studentId) ? await studentById(db, input.studentId) : null;
    if (!student) throw new Refusal("not-found");
    return { mover: moverOf(viewer, student), applications: await applicationsOf(db, student.id) };
  }),

  read: signedIn.applications.read.handler(async ({ input, context }) => {
    const { db } = context.services.database;
    const viewer = viewerOf(context.session);
    const studentId = await studentOf(db, input.applicationId);
    const student =
      studentId !== null && mayFollow(viewer, studentId) ? await studentById(db, studentId) : null;
    const application = student && (await applicationById(db, input.applicationId));
    if (!application) throw new Refusal("not-found");
    return {
      mover: moverOf(viewer, student),
      student: { id: student.id, name: student.name },
      application,
      endedFrom: isHalted(application.state) ? await lastStateBefore(db, application.id) : null,
    };
  }),

  timeline: signedIn.applications.timeline.handler(async ({ input, context }) => {
    const { db } = context.services.database;
    const studentId = await studentOf(db, input.applicationId);
    if (studentId === null || !mayFollow(viewerOf(context.session), studentId))
      throw new Refusal("not-found");
    return await stepsOf(db, input.applicationId, input.before ?? null, input.limit);
  }),

  move: signedIn.applications.move.handler(async ({ input, context }) => {
    await moveApplication(context.services, actorOf(context), input);
    return done;
  }),
};
