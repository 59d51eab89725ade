import { actorOf, done, signedIn } from "#server/procedures.ts";
import {
  confirmAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
  startAuthenticator,
} from "./commands/authenticator.ts";
import { addPasskey, removePasskey, renamePasskey, startPasskey } from "./commands/passkeys.ts";
import { signInMethodsOf } from "./queries.ts";
import { demandRecentLogin } from "./recent-login.ts";

export const signInMethods = {
  mine: signedIn.signInMethods.mine.handler(
    async ({ context: { services, session } }) => await signInMethodsOf(services.database.db, session.userId),
  ),

  startAuthenticator: signedIn.signInMethods.startAuthenticator.handler(async ({ context }) => {
    demandRecentLogin(context.session);
    return await startAuthenticator(context.services, actorOf(context));
  }),

  confirmAuthenticator: signedIn.signInMethods.confirmAuthenticator.handler(async ({ input, context }) => {
    demandRecentLogin(context.session);
    return { recoveryCodes: await confirmAuthenticator(context.services, actorOf(context), input.code) };
  }),

  removeAuthenticator: signedIn.signInMethods.removeAuthenticator.handler(async ({ context }) => {
    demandRecentLogin(context.session);
    await removeAuthenticator(context.services, actorOf(context));
    return done;
  }),

  renewRecoveryCodes: signedIn.signInMethods.renewRecoveryCodes.handler(async ({ context }) => {
    demandRecentLogin(context.session);
    return { recoveryCodes: await replaceRecoveryCodes(context.services, actorOf(context)) };
  }),

  startPasskey: signedIn.signInMethods.startPasskey.handler(async ({ context }) => {
    demandRecentLogin(context.session);
    return await startPasskey(context.services, actorOf(context));
  }),

  addPasskey: signedIn.signInMethods.addPasskey.handler(async ({ input, context }) => {
    demandRecentLogin(context.session);
    const { userAgent } = context;
    await addPasskey(context.services, { ...actorOf(context), userAgent }, input.passkey);
    return done;
  }),

  renamePasskey: signedIn.signInMethods.renamePasskey.handler(async ({ input, context }) => {
    await renamePasskey(context.services, actorOf(context), input);
    return done;
  }),

  removePasskey: signedIn.signInMethods.removePasskey.handler(async ({ input, context }) => {
    demandRecentLogin(context.session);
    await removePasskey(context.services, actorOf(context), input.id);
    return done;
  }),
};
