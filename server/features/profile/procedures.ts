import { cancelEmailChange, requestEmailChange } from "#server/features/sign-in/commands/change-email.ts";
import { actorOf, done, signedIn } from "#server/procedures.ts";
import { openProfile, saveProfile } from "./commands.ts";

export const profile = {
  mine: signedIn.profile.mine.handler(
    async ({ context }) => await openProfile(context.services, context.session.userId),
  ),

  save: signedIn.profile.save.handler(async ({ input, context }) => {
    await saveProfile(context.services, actorOf(context), input.version, input.profile);
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
