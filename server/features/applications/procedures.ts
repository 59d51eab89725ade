import { moverOf } from "#domain/application-step.ts";
import { mayFollow } from "#domain/permission.ts";
import type { Session } from "#server/features/account/sessions.ts";
import { studentById } from "#server/features/students/queries.ts";
import { actorOf, done, problemRefusal, refusal, signedIn, student } from "#server/procedures.ts";
import { type MoveOutcome, moveApplication } from "./commands/move.ts";
import { submitApplication } from "./commands/submit.ts";
import { applicationsOf, stepsOf, studentOf } from "./queries.ts";

const holderOf = (session: Session) => ({ ...session, id: session.userId });

function answer(outcome: MoveOutcome) {
  switch (outcome.kind) {
    case "moved":
      return done;
    case "problem":
      throw problemRefusal(outcome.problem);
    case "notFound":
      throw refusal("not-found");
    case "notAllowed":
      throw refusal("permission-denied");
    case "changed":
      throw refusal("failed-precondition");
    case "openAlready":
      throw refusal("already-exists", {
        message: "There is another open application for this programme and intake.",
      });
  }
}

export const applications = {
  submit: student.applications.submit.handler(async ({ input, context }) => {
    const outcome = await submitApplication(context.services, actorOf(context), input);
    switch (outcome.kind) {
      case "submitted":
        return outcome.application;
      case "problem":
        throw problemRefusal(outcome.problem);
      case "notAllowed":
        throw refusal("permission-denied");
    }
  }),

  mine: student.applications.mine.handler(async ({ context }) => ({
    applications: await applicationsOf(context.services.database.db, context.session.userId),
  })),

  ofStudent: signedIn.applications.ofStudent.handler(async ({ input, context }) => {
    const { db } = context.services.database;
    const who = holderOf(context.session);
    const found = mayFollow(who, input.studentId) ? await studentById(db, input.studentId) : null;
    if (!found) throw refusal("not-found");
    return { mover: moverOf(who, found), applications: await applicationsOf(db, found.id) };
  }),

  timeline: signedIn.applications.timeline.handler(async ({ input, context }) => {
    const { db } = context.services.database;
    const studentId = await studentOf(db, input.applicationId);
    if (studentId === null || !mayFollow(holderOf(context.session), studentId)) throw refusal("not-found");
    return await stepsOf(db, input.applicationId, input.before ?? null);
  }),

  move: signedIn.applications.move.handler(async ({ input, context }) =>
    answer(await moveApplication(context.services, actorOf(context), input)),
  ),
};
