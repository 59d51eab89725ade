import { cancelEmailChange, requestEmailChange } from "#server/features/account/commands/change-email.ts";
import { actorOf, done, lockedRefusal, problemRefusal, profileHolder, refusal } from "#server/procedures.ts";
import { openProfile, saveProfile } from "./commands.ts";

export const profile = {
  mine: profileHolder.profile.mine.handler(async ({ context }) => {
    const found = await openProfile(context.services, actorOf(context));
    if (!found) throw refusal("unauthenticated");
    return found;
  }),

  save: profileHolder.profile.save.handler(async ({ input, context }) => {
    const outcome = await saveProfile(context.services, actorOf(context), input.version, input.profile);
    switch (outcome.kind) {
      case "saved":
        return done;
      case "problem":
        throw problemRefusal(outcome.problem);
      case "changedMeanwhile":
        throw refusal("failed-precondition");
      case "notAllowed":
        throw refusal("permission-denied");
    }
  }),

  changeEmail: profileHolder.profile.changeEmail.handler(async ({ input, context }) => {
    const outcome = await requestEmailChange(context.services, context, input);
    switch (outcome.kind) {
      case "requested":
        return done;
      case "problem":
        throw problemRefusal(outcome.problem);
      case "wrongPassword":
        throw refusal("auth/wrong-password", { field: "password" });
      case "locked":
        throw lockedRefusal(context, outcome.retryAfter);
      case "tooMany":
        throw refusal("resource-exhausted", { retryAfter: outcome.retryAfter });
      case "notAllowed":
        throw refusal("permission-denied");
    }
  }),

  cancelEmailChange: profileHolder.profile.cancelEmailChange.handler(async ({ context }) => {
    await cancelEmailChange(context.services, actorOf(context));
    return done;
  }),
};
