import { actorOf, signedIn } from "#server/procedures.ts";
import { joinProgrammes } from "./join-programmes.ts";

/** The procedures of the catalogue for staff that also change the students' choices. */
export const programmeJoins = {
  joinProgramme: signedIn.catalogue.joinProgramme.handler(({ input, context }) =>
    joinProgrammes(context.services, actorOf(context), input),
  ),
};
