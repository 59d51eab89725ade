import { countAgentPace } from "#server/features/assignments/commands/agent-pace.ts";
import { requireViewReason } from "#server/features/assignments/commands/look-reason.ts";
import { actorOf, done, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { moveDocument, takeBackDocument } from "./commands/move.ts";
import { reviewDocument } from "./commands/review.ts";
import { documentPath } from "./links.ts";
import { documentFor, maySeeDocumentsOf, slotsOf } from "./queries.ts";

export const documents = {
  ofStudent: signedIn.documents.ofStudent.handler(async ({ input, context }) => {
    const { db } = context.services.database;
    if (!(await maySeeDocumentsOf(db, context.session, input.studentId))) throw new Refusal("not-found");
    return { slots: await slotsOf(db, input.studentId) };
  }),

  link: signedIn.documents.link.handler(async ({ input, context }) => {
    const { services, session } = context;
    const { db } = services.database;
    const document = await documentFor(db, session, input.documentId);
    if (!document) throw new Refusal("not-found");
    await requireViewReason(db, session, document.student);
    await countAgentPace(services, session, "look");
    return services.fileLinks.make({
      path: documentPath(document.file.id),
      mode: input.mode,
      sessionId: session.id,
    });
  }),

  review: signedIn.documents.review.handler(async ({ input, context }) => {
    await reviewDocument(context.services, actorOf(context), input);
    return done;
  }),

  move: signedIn.documents.move.handler(async ({ input, context }) => {
    await moveDocument(context.services, actorOf(context), input);
    return done;
  }),

  takeBack: signedIn.documents.takeBack.handler(async ({ input, context }) => {
    await takeBackDocument(context.services, actorOf(context), input.documentId);
    return done;
  }),
};
