import { actorOf, done, guide, problemRefusal, refusal, signedIn } from "#server/procedures.ts";
import { reviewDocument } from "./commands/review.ts";
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
    return services.fileLinks.make({ documentId: found.id, mode: input.mode, sessionId: session.id });
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
};
