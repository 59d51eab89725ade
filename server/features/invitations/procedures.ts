import { refundFailure, requireAllowance } from "#server/features/account/allowance.ts";
import {
  actorOf,
  cursorOf,
  done,
  type RequestContext,
  setCookies,
  signedIn,
  visitor,
} from "#server/procedures.ts";
import { acceptInvitation, claimInvitation, declineInvitation, viewInvitation } from "./answer.ts";
import { inviteAgent, sendInvitation, sendInvitationAgain, withdrawInvitation } from "./commands.ts";
import { invitationCursor, listInvitations } from "./queries.ts";

const tooMany = "You've sent as many invitations as one day allows. Please try again tomorrow.";

/** Counts an invitation before it is sent, regardless of its address. */
const countInvitation = async ({ services }: RequestContext, userId: string) =>
  requireAllowance(await services.limits.invitation(userId), "resource-exhausted", tooMany);

/** Limits how often tokens of links can be guessed. */
const countLink = async ({ services, address }: RequestContext) =>
  requireAllowance(await services.limits.invitationLink(address), "auth/too-many-requests");

export const invitations = {
  list: signedIn.invitations.list.handler(async ({ input, context }) => {
    const { session, services } = context;
    const cursor = cursorOf(input.cursor, invitationCursor);
    return await listInvitations(
      services.database.db,
      { ...session, id: session.userId },
      { ...input, cursor },
    );
  }),

  send: signedIn.invitations.send.handler(async ({ input, context }) => {
    const allowance = await countInvitation(context, context.session.userId);
    return { id: await refundFailure(allowance, sendInvitation(context.services, actorOf(context), input)) };
  }),

  sendToAgent: signedIn.invitations.sendToAgent.handler(async ({ input, context }) => {
    const allowance = await countInvitation(context, context.session.userId);
    return { id: await refundFailure(allowance, inviteAgent(context.services, actorOf(context), input)) };
  }),

  sendAgain: signedIn.invitations.sendAgain.handler(async ({ input, context }) => {
    const allowance = await countInvitation(context, context.session.userId);
    await refundFailure(allowance, sendInvitationAgain(context.services, actorOf(context), input.id));
    return done;
  }),

  withdraw: signedIn.invitations.withdraw.handler(async ({ input, context }) => {
    await withdrawInvitation(context.services, actorOf(context), input.id);
    return done;
  }),

  look: visitor.invitations.look.handler(async ({ input, context }) => {
    await countLink(context);
    return await viewInvitation(context.services, input.token);
  }),

  claim: visitor.invitations.claim.handler(async ({ input, context }) => {
    await countLink(context);
    const { viewer, cookies } = await claimInvitation(context.services, input, context);
    setCookies(context, [...cookies, context.services.signedCookies.hintCookie(viewer.role)]);
    return done;
  }),

  accept: visitor.invitations.accept.handler(async ({ input, context }) => {
    await countLink(context);
    await acceptInvitation(context.services, context.session, context.address, input.token);
    return done;
  }),

  decline: visitor.invitations.decline.handler(async ({ input, context }) => {
    await countLink(context);
    await declineInvitation(context.services, context.address, input.token);
    return done;
  }),
};
