import { cancelEmailChange, requestEmailChange } from "#server/features/account/commands/change-email.ts";
import { actorOf, done, profileHolder } from "#server/procedures.ts";
import { openProfile, saveProfile } from "./commands.ts";

export const profile = {
  mine: profileHolder.profile.mine.handler(
    async ({ context }) => await openProfile(context.services, context.session.userId),
  ),

  save: profileHolder.profile.save.handler(async ({ input, context }) => {
    await saveProfile(context.services, actorOf(context), input.version, input.profile);
    return done;
  }),

  changeEmail: profileHolder.profile.changeEmail.handler(async ({ input, context }) => {
    await requestEmailChange(context.services, context, input);
    return done;
  }),

  cancelEmailChange: profileHolder.profile.cancelEmailChange.handler(async ({ context }) => {
    await cancelEmailChange(context.services, actorOf(context));
    return done;
  }),
};
