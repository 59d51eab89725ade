import type { Viewer } from "#contract/account.ts";
import { actorOf, admin, done, type RequestContext, signedIn, visitor } from "#server/procedures.ts";
import { demandAllowance } from "./allowance.ts";
import { changePassword } from "./commands/change-password.ts";
import { confirmIdentity } from "./commands/confirm-identity.ts";
import { confirmWithPasskey, signInWithPasskey } from "./commands/passkeys.ts";
import { requestPasswordReset } from "./commands/request-password-reset.ts";
import { setDisabled } from "./commands/set-disabled.ts";
import { inspectPasswordLink, setPassword } from "./commands/set-password.ts";
import { type SignedIn, signIn, signOut, signOutDevice, signOutOthers } from "./commands/sign-in.ts";
import { signUp } from "./commands/sign-up.ts";
import { resendVerification, verifyEmail } from "./commands/verify-email.ts";
import { hintCookie } from "./cookies.ts";
import { viewerById } from "./queries.ts";

function setCookies(
  { resHeaders, services }: RequestContext,
  viewer: Viewer | null,
  cookies: readonly string[],
) {
  const hint = hintCookie(viewer?.role ?? null, services.identity.secure);
  for (const cookie of [...cookies, hint]) resHeaders?.append("set-cookie", cookie);
}

function signedInAs(context: RequestContext, { viewer, cookies }: SignedIn): Viewer {
  setCookies(context, viewer, cookies);
  return viewer;
}

/** Tokens of links are guessed only so often. */
const countLink = async ({ services, address }: RequestContext) =>
  demandAllowance(await services.limits.link(address), "auth/too-many-requests");

/** Challenges are kept until they are answered or too old. */
const countChallenge = async ({ services, address }: RequestContext) =>
  demandAllowance(await services.limits.passkeyChallenge(address), "auth/too-many-requests");

export const account = {
  me: visitor.account.me.handler(async ({ context }) => {
    const { services, session } = context;
    const viewer = session && (await viewerById(services, services.database.db, session.userId));
    setCookies(context, viewer, []);
    return { viewer };
  }),

  signUp: visitor.account.signUp.handler(async ({ input, context }) =>
    signedInAs(context, await signUp(context.services, input, context)),
  ),

  signIn: visitor.account.signIn.handler(async ({ input, context }) =>
    signedInAs(context, await signIn(context.services, input, context)),
  ),

  signOut: visitor.account.signOut.handler(async ({ context }) => {
    const { services, session, address } = context;
    if (session) await signOut(services, session, address);
    setCookies(context, null, services.identity.closingCookies());
    return done;
  }),

  devices: signedIn.account.devices.handler(async ({ context: { services, session } }) => {
    return { devices: await services.sessions.list(session) };
  }),

  signOutDevice: signedIn.account.signOutDevice.handler(async ({ input, context }) => {
    await signOutDevice(context.services, context.session, input.id, context.address);
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

  signInWithPasskey: visitor.account.signInWithPasskey.handler(async ({ input, context }) =>
    signedInAs(context, await signInWithPasskey(context.services, input.passkey, context)),
  ),

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
    setCookies(context, null, await setPassword(context.services, input, context.address));
    return done;
  }),

  changePassword: signedIn.account.changePassword.handler(async ({ input, context }) => {
    await changePassword(context.services, context, input);
    return done;
  }),

  verifyEmail: visitor.account.verifyEmail.handler(async ({ input, context }) => {
    await countLink(context);
    await verifyEmail(context.services, input.token);
    return done;
  }),

  resendVerification: signedIn.account.resendVerification.handler(async ({ input, context }) => {
    const { services, session } = context;
    demandAllowance(await services.limits.verificationMail(session.userId), "auth/too-many-requests");
    await resendVerification(services, session.userId, input.next);
    return done;
  }),
};

/** Of the contract's `students`: what an admin does to accounts there. */
export const studentAccounts = {
  setDisabled: admin.students.setDisabled.handler(async ({ input, context }) => {
    await setDisabled(context.services, actorOf(context), input);
    return done;
  }),
};
