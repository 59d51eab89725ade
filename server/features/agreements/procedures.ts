import { joinInstitution } from "#server/features/programmes/catalogue/institution-commands.ts";
import { answersOf } from "#server/features/programmes/finding/answers.ts";
import { openRecord } from "#server/features/study-record/open-record.ts";
import { recordOf } from "#server/features/study-record/read-record.ts";
import { actorOf, done, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { moveAgreement, removeAgreement, setAgreement } from "./commands.ts";
import { hasAgreement, listAgreements } from "./queries.ts";

/** Procedures of the public catalogue that read agreements, to show them beside a student's answers. */
export const answersWithAgreement = {
  answers: signedIn.programmes.answers.handler(async ({ input, context }) => {
    const { services, session } = context;
    const { studentId = session.userId } = input;
    const record = await openRecord(services, context, studentId, recordOf);
    const { db } = services.database;
    const answers = await answersOf(db, { studentId, record }, input);
    if (!answers) throw new Refusal("not-found");
    const { institutionId, ...others } = answers;
    return { ...others, agreement: await hasAgreement(db, institutionId) };
  }),
};

/** Procedures of the staff catalogue that read or change agreements. */
export const agreements = {
  agreements: signedIn.catalogue.agreements.handler(async ({ context }) => ({
    agreements: await listAgreements(context.services.database.db),
  })),

  setAgreement: signedIn.catalogue.setAgreement.handler(async ({ input, context }) => {
    await setAgreement(context.services, actorOf(context), input.institutionId);
    return done;
  }),

  removeAgreement: signedIn.catalogue.removeAgreement.handler(async ({ input, context }) => {
    await removeAgreement(context.services, actorOf(context), input.institutionId);
    return done;
  }),

  joinInstitution: signedIn.catalogue.joinInstitution.handler(async ({ input, context }) => {
    await joinInstitution(context.services, actorOf(context), input, moveAgreement);
    return done;
  }),
};
