import { agentPace, paceMessages } from "#server/features/students/commands/agent-pace.ts";
import {
  actorOf,
  done,
  guide,
  problemRefusal,
  refusal,
  signedIn,
  student,
  tooManyRefusal,
} from "#server/procedures.ts";
import { type MoveResult, moveDocument, takeBackDocument } from "./commands/move.ts";
import { reviewDocument } from "./commands/review.ts";
import { documentPath } from "./links.ts";
import { documentFor, maySeeDocumentsOf, slotsOf } from "./queries.ts";

export const documents = {
  ofStudent: signedIn.documents.ofStudent.handler(async ({ input, context }) => {
    const { db } = context.services.database;
    if (!(await maySeeDocumentsOf(db, context.session, input.studentId))) throw refusal("not-found");
    return { slots: await slotsOf(db, input.studentId) };
  }),

  link: signedIn.documents.link.handler(async ({ input, context }) => {
    const { services, session } = context;
    const found = await documentFor(services.database.db, session, input.documentId);
    if (!found) throw refusal("not-found");
    const pace = await agentPace(services, session, "look");
    if (pace.kind === "locked") throw tooManyRefusal(context, pace.retryAfter, paceMessages.look);
    return services.fileLinks.make({ path: documentPath(found.id), mode: input.mode, sessionId: session.id });
  }),

  review: guide.documents.review.handler(async ({ input, context }) => {
    const result = await reviewDocument(context.services, actorOf(context), input);
    switch (result.kind) {
      case "done":
        return done;
      case "problem":
        throw problemRefusal(result.problem);
      case "notFound":
        throw refusal("not-found");
      case "changed":
        throw refusal("failed-precondition");
    }
  }),

  move: student.documents.move.handler(async ({ input, context }) =>
    answerTo(await moveDocument(context.services, actorOf(context), input)),
  ),

  takeBack: student.documents.takeBack.handler(async ({ input, context }) =>
    answerTo(await takeBackDocument(context.services, actorOf(context), input.documentId)),
  ),
};

function answerTo(result: MoveResult) {
  if (result === "notFound") throw refusal("not-found");
  if (result === "changed") throw refusal("failed-precondition");
  return done;
}
