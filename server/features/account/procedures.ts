import type { Viewer } from "#contract/account.ts";
import {
  actorOf,
  done,
  type RequestContext,
  sessionActorOf,
  setCookies,
  signedIn,
  visitor,
} from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { demandAllowance } from "./allowance.ts";
import {
  confirmAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
  startAuthenticator,
} from "./commands/authenticator.ts";
import { changePassword } from "./commands/change-password.ts";
import { confirmIdentity } from "./commands/confirm-identity.ts";
import {
  addPasskey,
  confirmWithPasskey,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  startPasskey,
} from "./commands/passkeys.ts";
import { setDisabled } from "./commands/set-disabled.ts";
import { inspectPasswordLink, requestPasswordReset, setPassword } from "./commands/set-password.ts";
import { type SignedIn, signIn, signOut, signOutDevice, signOutOthers } from "./commands/sign-in.ts";
import { signUp } from "./commands/sign-up.ts";
import { resendVerification, verifyEmail } from "./commands/verify-email.ts";
import { lacksMailboxProof, proveMailbox, sendMailboxCode } from "./mailbox-proof.ts";
import { hasAnySecondFactor, signInMethodsOf, viewerById } from "./queries.ts";
import { demandRecentLogin } from "./recent-login.ts";
import { type Session, sessionsOf } from "./sessions.ts";

function signedInAs(context: RequestContext, { viewer, cookies }: SignedIn): Viewer {
  setCookies(context, [...cookies, context.services.identity.hintCookie(viewer.role)]);
  return viewer;
}

/** Limits how often tokens of links can be guessed. */
const countLink = async ({ services, address }: RequestContext) =>
  demandAllowance(await services.limits.link(address), "auth/too-many-requests");

/** Limits challenges, since they are kept until they are answered or too old. */
const countChallenge = async ({ services, address }: RequestContext) =>
  demandAllowance(await services.limits.passkeyChallenge(address), "auth/too-many-requests");

export const account = {
  me: visitor.account.me.handler(async ({ context }) => {
    const { services, session } = context;
    const viewer = session && (await viewerById(services.database.db, session.userId, session));
    setCookies(context, [services.identity.hintCookie(viewer?.role ?? null)]);
    return { viewer };
  }),

  signUp: visitor.account.signUp.handler(async ({ input, context }) =>
    signedInAs(context, await signUp(context.services, input, context)),
  ),

  signIn: visitor.account.signIn.handler(async ({ input, context }) => {
    const login = await signIn(context.services, input, context);
    return { ...signedInAs(context, login), isKept: login.isKept };
  }),

  signOut: visitor.account.signOut.handler(async ({ context }) => {
    const { services, session, address } = context;
    if (session) await signOut(services, session, address);
    setCookies(context, services.identity.closingCookies());
    return done;
  }),

  devices: signedIn.account.devices.handler(async ({ context: { services, session } }) => {
    return { devices: await sessionsOf(services.database.db, session) };
  }),

  signOutDevice: signedIn.account.signOutDevice.handler(async ({ input, context }) => {
    await signOutDevice(context.services, actorOf(context), input.id);
    return done;
  }),

  signOutOthers: signedIn.account.signOutOthers.handler(async ({ context }) => {
    await signOutOthers(context.services, context.session, context.address);
    return done;
  }),

  confirmIdentity: signedIn.account.confirmIdentity.handler(async ({ input, context }) => {
    await confirmIdentity(context.services, context, input);
    return done;
  }),

  passkeyChallenge: visitor.account.passkeyChallenge.handler(async ({ context }) => {
    await countChallenge(context);
    return await context.services.passkeys.requestOptions({ for: "login" });
  }),

  signInWithPasskey: visitor.account.signInWithPasskey.handler(async ({ input, context }) => {
    const login = await signInWithPasskey(context.services, input.passkey, context);
    return { ...signedInAs(context, login), isKept: login.isKept };
  }),

  confirmationChallenge: signedIn.account.confirmationChallenge.handler(async ({ context }) => {
    await countChallenge(context);
    const { userId } = context.session;
    return await context.services.passkeys.requestOptions({ for: "confirm", userId });
  }),

  confirmWithPasskey: signedIn.account.confirmWithPasskey.handler(async ({ input, context }) => {
    await confirmWithPasskey(context.services, context, input.passkey);
    return done;
  }),

  requestPasswordReset: visitor.account.requestPasswordReset.handler(async ({ input, context }) => {
    await requestPasswordReset(context.services, input, context.address);
    return done;
  }),

  passwordLink: visitor.account.passwordLink.handler(async ({ input, context }) => {
    await countLink(context);
    return await inspectPasswordLink(context.services, input.token);
  }),

  setPassword: visitor.account.setPassword.handler(async ({ input, context }) => {
    await countLink(context);
    const { cookies, outcome } = await setPassword(context.services, input, context.address);
    setCookies(context, cookies);
    return outcome;
  }),

  changePassword: signedIn.account.changePassword.handler(async ({ input, context }) => {
    await changePassword(context.services, context, input);
    return done;
  }),

  verifyEmail: visitor.account.verifyEmail.handler(async ({ input, context }) => {
    await countLink(context);
    await verifyEmail(context.services, input, context);
    return done;
  }),

  resendVerification: signedIn.account.resendVerification.handler(async ({ input, context }) => {
    const { services, session } = context;
    demandAllowance(await services.limits.verificationMail(session.userId), "auth/too-many-requests");
    await resendVerification(services, session.userId, input.next);
    return done;
  }),
};

/**
 * Refuses to set up a second factor without a recent login. Where a factor is required, the first one also needs proof
 * of the mailbox, and a further one needs a session in which a factor was proved.
 */
async function demandMayAdd({ database: { db } }: Services, session: Session): Promise<void> {
  demandRecentLogin(session);
  if (session.lacksSecondFactor && (await hasAnySecondFactor(db, session.userId)))
    throw new Refusal("account/second-factor-required", { message: confirmFirst });
  if (await lacksMailboxProof(db, session)) throw new Refusal("account/mailbox-code");
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
      needsMailboxCode: !hasFactor && (await lacksMailboxProof(db, session)),
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
    await demandMayAdd(context.services, context.session);
    return await startAuthenticator(context.services, sessionActorOf(context));
  }),

  confirmAuthenticator: signedIn.signInMethods.confirmAuthenticator.handler(async ({ input, context }) => {
    await demandMayAdd(context.services, context.session);
    const actor = sessionActorOf(context);
    return { recoveryCodes: await confirmAuthenticator(context.services, actor, input.code) };
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
    await addPasskey(context.services, { ...sessionActorOf(context), userAgent }, input.passkey);
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

/** An admin's procedures on accounts, under `students` in the contract. */
export const studentAccounts = {
  setDisabled: signedIn.students.setDisabled.handler(async ({ input, context }) => {
    await setDisabled(context.services, actorOf(context), input);
    return done;
  }),
};
