import { unknownZone } from "#domain/deadline.ts";
import { countAgentPace } from "#server/features/assignments/commands/agent-pace.ts";
import { requireViewReason } from "#server/features/assignments/commands/look-reason.ts";
import { actorOf, cursorOf, done, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { declineOffer, rankOffer } from "./commands/answer-offer.ts";
import { claimCondition, markCondition } from "./commands/conditions.ts";
import { markDeposit } from "./commands/deposit.ts";
import { saveOffer } from "./commands/save-offer.ts";
import { letterFor, letterPath } from "./letters.ts";
import { offerCursor, offersToAnswer } from "./open-offers.ts";
import { applicationFor, offerOf } from "./queries.ts";

export const offers = {
  ofApplication: signedIn.offers.ofApplication.handler(async ({ input, context }) => {
    const { db } = context.services.database;
    const application = await applicationFor(db, context.session, input.applicationId);
    if (!application) throw new Refusal("not-found");
    const { mover, state, version, student } = application;
    return {
      mover,
      state,
      version,
      studentZone: student.timeZone ?? unknownZone,
      offer: await offerOf(db, application.id),
    };
  }),

  save: signedIn.offers.save.handler(async ({ input, context }) => {
    await saveOffer(context.services, actorOf(context), input);
    return done;
  }),

  mark: signedIn.offers.mark.handler(async ({ input, context }) => {
    await markCondition(context.services, actorOf(context), input);
    return done;
  }),

  markDeposit: signedIn.offers.markDeposit.handler(async ({ input, context }) => {
    await markDeposit(context.services, actorOf(context), input);
    return done;
  }),

  claim: signedIn.offers.claim.handler(async ({ input, context }) => {
    await claimCondition(context.services, actorOf(context), input);
    return done;
  }),

  decline: signedIn.offers.decline.handler(async ({ input, context }) => {
    await declineOffer(context.services, actorOf(context), input);
    return done;
  }),

  rank: signedIn.offers.rank.handler(async ({ input, context }) => {
    await rankOffer(context.services, actorOf(context), input);
    return done;
  }),

  letterLink: signedIn.offers.letterLink.handler(async ({ input, context }) => {
    const { services, session } = context;
    const { db } = services.database;
    const letter = await letterFor(db, session, input.applicationId);
    if (!letter) throw new Refusal("not-found");
    await requireViewReason(db, session, letter.student);
    await countAgentPace(services, session, "look");
    return services.fileLinks.make({
      path: letterPath(input.applicationId),
      mode: input.mode,
      sessionId: session.id,
    });
  }),

  toAnswer: signedIn.offers.toAnswer.handler(async ({ input, context }) =>
    offersToAnswer(context.services.database.db, context.session, {
      cursor: cursorOf(input.cursor, offerCursor),
      limit: input.limit,
    }),
  ),
};
