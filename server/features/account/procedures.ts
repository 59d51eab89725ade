import type { Viewer } from "#contract/account.ts";
import { hintCookie } from "#server/platform/hint-cookie.ts";
import {
  done,
  lockedRefusal,
  problemRefusal,
  type RequestContext,
  refusal,
  signedIn,
  visitor,
} from "#server/procedures.ts";
import { requestPasswordReset } from "./commands/request-password-reset.ts";
import { inspectPasswordLink, setPassword } from "./commands/set-password.ts";
import { signIn } from "./commands/sign-in.ts";
import { signOut } from "./commands/sign-out.ts";
import { signUp } from "./commands/sign-up.ts";
import { resendVerification, verifyEmail } from "./commands/verify-email.ts";
import type { Allowance } from "./limits.ts";
import { viewerById } from "./queries.ts";

function setCookies(
  { resHeaders, services }: RequestContext,
  viewer: Viewer | null,
  cookies: readonly string[],
) {
  const hint = hintCookie(viewer?.role ?? null, services.identity.secure);
  for (const cookie of [...cookies, hint]) resHeaders?.append("set-cookie", cookie);
}

function demandAllowance(context: RequestContext, allowance: Allowance) {
  if (allowance.kind === "locked") throw lockedRefusal(context, allowance.retryAfter);
}

export const account = {
  me: visitor.account.me.handler(async ({ context }) => {
    const { services, session } = context;
    const viewer = session && (await viewerById(services.database.db, session.userId));
    setCookies(context, viewer, []);
    return { viewer };
  }),

  signUp: visitor.account.signUp.handler(async ({ input, context }) => {
    const outcome = await signUp(context.services, input, context);
    switch (outcome.kind) {
      case "signedUp":
        setCookies(context, outcome.viewer, outcome.cookies);
        return outcome.viewer;
      case "problem":
        throw problemRefusal(outcome.problem);
      case "emailInUse":
        throw refusal("auth/email-already-in-use", { field: "email" });
      case "locked":
        throw lockedRefusal(context, outcome.retryAfter);
    }
  }),

  signIn: visitor.account.signIn.handler(async ({ input, context }) => {
    const outcome = await signIn(context.services, input, context);
    switch (outcome.kind) {
      case "signedIn":
        setCookies(context, outcome.viewer, outcome.cookies);
        return outcome.viewer;
      case "problem":
        throw problemRefusal(outcome.problem);
      case "refused":
        throw refusal(outcome.refusal);
      case "locked":
        throw lockedRefusal(context, outcome.retryAfter);
    }
  }),

  signOut: visitor.account.signOut.handler(async ({ context }) => {
    const { services, session, address } = context;
    if (session) await signOut(services, session, address);
    setCookies(context, null, services.identity.closingCookies());
    return done;
  }),

  requestPasswordReset: visitor.account.requestPasswordReset.handler(async ({ input, context }) => {
    const outcome = await requestPasswordReset(context.services, input, context.address);
    switch (outcome.kind) {
      case "requested":
        return done;
      case "problem":
        throw problemRefusal(outcome.problem);
      case "locked":
        throw lockedRefusal(context, outcome.retryAfter);
    }
  }),

  passwordLink: visitor.account.passwordLink.handler(async ({ input, context }) => {
    demandAllowance(context, await context.services.limits.link(context.address));
    const link = await inspectPasswordLink(context.services, input.token);
    if (!link) throw refusal("auth/invalid-action-code");
    return link;
  }),

  setPassword: visitor.account.setPassword.handler(async ({ input, context }) => {
    demandAllowance(context, await context.services.limits.link(context.address));
    const outcome = await setPassword(context.services, input, context.address);
    switch (outcome.kind) {
      case "set":
        setCookies(context, null, outcome.cookies);
        return done;
      case "problem":
        throw problemRefusal(outcome.problem);
      case "invalidLink":
        throw refusal("auth/invalid-action-code");
    }
  }),

  verifyEmail: visitor.account.verifyEmail.handler(async ({ input, context }) => {
    demandAllowance(context, await context.services.limits.link(context.address));
    switch (await verifyEmail(context.services, input.token)) {
      case "verified":
        return done;
      case "invalidLink":
        throw refusal("auth/invalid-action-code");
      case "emailInUse":
        throw refusal("auth/email-already-in-use");
    }
  }),

  resendVerification: signedIn.account.resendVerification.handler(async ({ input, context }) => {
    const { services, session } = context;
    demandAllowance(context, await services.limits.verificationMail(session.userId));
    await resendVerification(services, session.userId, input.next);
    return done;
  }),
};
