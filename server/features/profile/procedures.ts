import { refundFailure } from "#server/features/account/allowance.ts";
import { countAgentPace } from "#server/features/assignments/commands/agent-pace.ts";
import { cancelEmailChange, requestEmailChange } from "#server/features/sign-in/commands/change-email.ts";
import { actorOf, done, signedIn } from "#server/procedures.ts";
import { openProfile, saveProfile } from "./commands.ts";
import { openProfileOf, saveProfileFor } from "./on-behalf.ts";

export const profile = {
  mine: signedIn.profile.mine.handler(
    async ({ context }) => await openProfile(context.services, context.session.userId),
  ),

  save: signedIn.profile.save.handler(async ({ input, context }) => {
    await saveProfile(context.services, actorOf(context), input.version, input.profile);
    return done;
  }),

  ofStudent: signedIn.profile.ofStudent.handler(async ({ input, context }) => {
    const { services, session } = context;
    const allowance = await countAgentPace(services, session, "look");
    return await refundFailure(allowance, openProfileOf(services, actorOf(context), input.studentId));
  }),

  saveForStudent: signedIn.profile.saveForStudent.handler(async ({ input, context }) => {
    await saveProfileFor(context.services, actorOf(context), input);
    return done;
  }),

  changeEmail: signedIn.profile.changeEmail.handler(async ({ input, context }) => {
    await requestEmailChange(context.services, context, input);
    return done;
  }),

  cancelEmailChange: signedIn.profile.cancelEmailChange.handler(async ({ context }) => {
    await cancelEmailChange(context.services, actorOf(context));
    return done;
  }),
};
