import { requireRecentLogin } from "#server/features/sessions/recent-login.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { actorOf, done, sessionActorOf, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import {
  confirmAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
  startAuthenticator,
} from "./commands/authenticator.ts";
import { addPasskey, removePasskey, renamePasskey, startPasskey } from "./commands/passkeys.ts";
import { lacksMailboxProof, proveMailbox, requireMailboxProof, sendMailboxCode } from "./mailbox-proof.ts";
import { hasAnySecondFactor, signInMethodsOf } from "./queries.ts";

/**
 * Refuses to set up a second factor without a recent login. If a factor is required, the first one also needs proof of
 * the mailbox, and a further one needs a session in which a factor was proved.
 */
async function requireRightToAddFactor({ database: { db } }: Services, session: Session): Promise<void> {
  requireRecentLogin(session);
  if (session.lacksSecondFactor && (await hasAnySecondFactor(db, session.userId)))
    throw new Refusal("account/second-factor-required", { message: confirmFirst });
  if (session.lacksSecondFactor) await requireMailboxProof(db, session);
}

const confirmFirst = "Please confirm it's you with your passkey or a code first.";

export const signInMethods = {
  mine: signedIn.signInMethods.mine.handler(async ({ context: { services, session } }) => {
    const { db } = services.database;
    const methods = await signInMethodsOf(db, session.userId);
    const hasFactor = methods.authenticator !== null || methods.passkeys.length > 0;
    return {
      ...methods,
      isRequired: services.environment.secondFactorRequired.includes(session.role),
      needsConfirmation: session.lacksSecondFactor && hasFactor,
      needsMailboxCode: session.lacksSecondFactor && !hasFactor && (await lacksMailboxProof(db, session)),
    };
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
    await requireRightToAddFactor(context.services, context.session);
    return await startAuthenticator(context.services, sessionActorOf(context));
  }),

  confirmAuthenticator: signedIn.signInMethods.confirmAuthenticator.handler(async ({ input, context }) => {
    await requireRightToAddFactor(context.services, context.session);
    const actor = sessionActorOf(context);
    return { recoveryCodes: await confirmAuthenticator(context.services, actor, input.code) };
  }),

  removeAuthenticator: signedIn.signInMethods.removeAuthenticator.handler(async ({ context }) => {
    requireRecentLogin(context.session);
    await removeAuthenticator(context.services, actorOf(context));
    return done;
  }),

  renewRecoveryCodes: signedIn.signInMethods.renewRecoveryCodes.handler(async ({ context }) => {
    requireRecentLogin(context.session);
    return { recoveryCodes: await replaceRecoveryCodes(context.services, actorOf(context)) };
  }),

  startPasskey: signedIn.signInMethods.startPasskey.handler(async ({ context }) => {
    await requireRightToAddFactor(context.services, context.session);
    return await startPasskey(context.services, actorOf(context));
  }),

  addPasskey: signedIn.signInMethods.addPasskey.handler(async ({ input, context }) => {
    await requireRightToAddFactor(context.services, context.session);
    const { userAgent } = context;
    await addPasskey(context.services, { ...sessionActorOf(context), userAgent }, input.passkey);
    return done;
  }),

  renamePasskey: signedIn.signInMethods.renamePasskey.handler(async ({ input, context }) => {
    await renamePasskey(context.services, actorOf(context), input);
    return done;
  }),

  removePasskey: signedIn.signInMethods.removePasskey.handler(async ({ input, context }) => {
    requireRecentLogin(context.session);
    await removePasskey(context.services, actorOf(context), input.id);
    return done;
  }),
};
