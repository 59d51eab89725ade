import { joinInstitution } from "#server/features/programmes/catalogue/institution-commands.ts";
import { actorOf, done, signedIn } from "#server/procedures.ts";
import { listAgreements, moveAgreement, removeAgreement, setAgreement } from "./commands.ts";

/** The part of the catalogue for staff that knows of agreements. */
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
