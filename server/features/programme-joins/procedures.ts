import { actorOf, signedIn } from "#server/procedures.ts";
import { joinProgrammes } from "./join-programmes.ts";

/** The part of the catalogue for staff that knows what students have chosen of it. */
export const programmeJoins = {
  joinProgramme: signedIn.catalogue.joinProgramme.handler(({ input, context }) =>
    joinProgrammes(context.services, actorOf(context), input),
  ),
};
