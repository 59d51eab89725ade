import type { Viewer } from "#contract/account.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { done, type RequestContext, setCookies, signedIn, visitor } from "#server/procedures.ts";
import { changePassword } from "./commands/change-password.ts";
import { confirmIdentity } from "./commands/confirm-identity.ts";
import { inspectPasswordLink, requestPasswordReset, setPassword } from "./commands/set-password.ts";
import { type SignedIn, signIn } from "./commands/sign-in.ts";
import { confirmWithPasskey, signInWithPasskey } from "./commands/sign-in-with-passkey.ts";
import { signUp } from "./commands/sign-up.ts";
import { resendVerification, verifyEmail } from "./commands/verify-email.ts";

function signedInAs(context: RequestContext, { viewer, cookies }: SignedIn): Viewer {
  setCookies(context, [...cookies, context.services.signedCookies.hintCookie(viewer.role)]);
  return viewer;
}

/** Limits how often tokens of links can be guessed. */
const countLink = async ({ services, address }: RequestContext) =>
  requireAllowance(await services.limits.link(address), "auth/too-many-requests");

/** Limits challenges, because they are stored until they are answered or expired. */
const countChallenge = async ({ services, address }: RequestContext) =>
  requireAllowance(await services.limits.passkeyChallenge(address), "auth/too-many-requests");

/** Procedures under `account` in the contract for signing up, logging in and recovering an account. */
export const signInProcedures = {
  signUp: visitor.account.signUp.handler(async ({ input, context }) =>
    signedInAs(context, await signUp(context.services, input, context)),
  ),

  signIn: visitor.account.signIn.handler(async ({ input, context }) => {
    const login = await signIn(context.services, input, context);
    return { ...signedInAs(context, login), isKept: login.isKept };
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
    return await verifyEmail(context.services, input, context);
  }),

  resendVerification: signedIn.account.resendVerification.handler(async ({ input, context }) => {
    const { services, session } = context;
    requireAllowance(await services.limits.verificationMail(session.userId), "auth/too-many-requests");
    await resendVerification(services, session.userId, input.next);
    return done;
  }),
};
