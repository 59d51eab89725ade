import { actorOf, done, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import {
  confirmAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
  startAuthenticator,
} from "./commands/authenticator.ts";
import { addPasskey, removePasskey, renamePasskey, startPasskey } from "./commands/passkeys.ts";
import { lacksMailboxProof, proveMailbox, sendMailboxCode } from "./mailbox-proof.ts";
import { signInMethodsOf } from "./queries.ts";
import { demandRecentLogin } from "./recent-login.ts";
import type { Session } from "./sessions.ts";

/** What sets up a second factor wants a recent login, and of the first one that is required the mailbox too. */
async function demandMayAdd(services: Services, session: Session): Promise<void> {
  demandRecentLogin(session);
  if (await lacksMailboxProof(services.database.db, session)) throw new Refusal("account/mailbox-code");
}

export const signInMethods = {
  mine: signedIn.signInMethods.mine.handler(async ({ context: { services, session } }) => {
    const { db } = services.database;
    const methods = await signInMethodsOf(db, session.userId);
    return { ...methods, needsMailboxCode: await lacksMailboxProof(db, session) };
  }),

  sendMailboxCode: signedIn.signInMethods.sendMailboxCode.handler(async ({ context }) => {
    await sendMailboxCode(context.services, context.session);
    return done;
  }),

  proveMailbox: signedIn.signInMethods.proveMailbox.handler(async ({ input, context }) => {
    await proveMailbox(context.services, context, input.code);
    return done;
  }),

  startAuthenticator: signedIn.signInMethods.startAuthenticator.handler(async ({ context }) => {
    await demandMayAdd(context.services, context.session);
    return await startAuthenticator(context.services, actorOf(context));
  }),

  confirmAuthenticator: signedIn.signInMethods.confirmAuthenticator.handler(async ({ input, context }) => {
    await demandMayAdd(context.services, context.session);
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
    await demandMayAdd(context.services, context.session);
    return await startPasskey(context.services, actorOf(context));
  }),

  addPasskey: signedIn.signInMethods.addPasskey.handler(async ({ input, context }) => {
    await demandMayAdd(context.services, context.session);
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
