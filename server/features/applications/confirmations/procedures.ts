import { moverOf } from "#domain/application-step.ts";
import { studentById } from "#server/features/assignments/queries.ts";
import { requireRecentLogin } from "#server/features/sessions/recent-login.ts";
import { actorOf, done, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { studentOf } from "../queries.ts";
import { askConfirmation, confirmList } from "./commands.ts";
import { confirmationOf, entriesOfDocuments } from "./queries.ts";

/** Procedures under `applications` in the contract for confirming what is sent. */
export const confirmationProcedures = {
  confirmation: signedIn.applications.confirmation.handler(async ({ input: { applicationId }, context }) => {
    const { db } = context.services.database;
    const { session } = context;
    // A missing application must take as long as a forbidden one.
    const student = await studentById(db, (await studentOf(db, applicationId)) ?? "");
    if (!student || moverOf({ ...session, id: session.userId }, student) === null)
      throw new Refusal("not-found");
    const answer = await confirmationOf(db, applicationId);
    if (!answer) throw new Refusal("not-found");
    const entries = await entriesOfDocuments(db, answer.list.documents);
    const documents = answer.list.documents.map((each) => ({
      kind: each.kind,
      name: each.kind === "other" ? each.name : "",
      id: each.id,
      version: each.sha256 ?? each.id,
      enteredBy: entries.get(each.id) ?? null,
    }));
    return { ...answer, list: { ...answer.list, documents } };
  }),

  askConfirmation: signedIn.applications.askConfirmation.handler(async ({ input, context }) => {
    await askConfirmation(context.services, actorOf(context), input.applicationId);
    return done;
  }),

  confirmList: signedIn.applications.confirmList.handler(async ({ input, context }) => {
    const { services, session } = context;
    requireRecentLogin(session);
    await confirmList(services, { ...actorOf(context), session }, input);
    return done;
  }),
};
