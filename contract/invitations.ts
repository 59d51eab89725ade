import { z } from "zod";
import { limits } from "#domain/account.ts";
import { invitationStates, invitedRoles } from "#domain/invitation.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { done, formText, guarded, id, open, pageOf, text } from "./base.ts";
import { declared } from "./errors.ts";

/**
 * An invitation as its inviter sees it, which is the same whether or not the address has an account. `by` names the
 * inviter to admins, who see everyone's; null for the caller's own.
 */
const invitation = z
  .object({
    id: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    message: z.string(),
    role: z.enum(invitedRoles),
    /** Empty for a student. */
    agency: z.string(),
    country: z.string(),
    state: z.enum(invitationStates),
    sentAt: z.date(),
    expiresAt: z.date(),
    endedAt: z.date().nullable(),
    by: z.string().nullable(),
  })
  .meta({ title: "Invitation" });
export type Invitation = z.infer<typeof invitation>;

const token = z.object({ token: text(limits.token) });
const byLink = open.errors(declared("auth/invalid-action-code", "auth/too-many-requests"));
const invited = { firstName: formText, lastName: formText, email: formText, message: formText };
const one = guarded({ who: "staff" }).errors(declared("not-found", "failed-precondition"));

/** Invitations of students by agents and admins, and of agents by admins (docs/product.md, "Invitations"). */
export const invitations = {
  list: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/invitations",
      summary: "List invitations",
      description:
        "Returns invitations, newest first, 50 per page. Agents get their own invitations. Admins get everyone's; `by` is the inviter's name, or null for an admin's own invitations.",
    })
    .input(z.object(pageOf(adminRowsPerPage)))
    .output(z.object({ invitations: z.array(invitation), next: z.string().nullable() })),

  /**
   * Invites a student. Does the same for every address: only the job of the email finds out whether it has an account.
   * `failed-precondition`: this person has declined an invitation from the caller.
   */
  send: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/invitations",
      summary: "Invite a student",
      description:
        "The response is the same whether or not the address has an account. The invitation can be answered for 14 days. `already-exists`: you have an open invitation to this address. `failed-precondition`: this person has declined an invitation from you.",
    })
    .errors(declared("form/incomplete", "auth/invalid-email", "already-exists", "failed-precondition"))
    .input(z.object(invited))
    .output(z.object({ id: z.string() })),

  /**
   * Invites an agent, who is approved by accepting. Does the same for every address, like `send`. `failed-precondition`
   * as for `send`.
   */
  sendToAgent: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/agent-invitations",
      summary: "Invite an agent",
      description:
        "An agent who accepts is approved immediately, in your name. The response is the same whether or not the address has an account, and the call fails for the same reasons as an invitation of a student.",
    })
    .errors(declared("form/incomplete", "auth/invalid-email", "already-exists", "failed-precondition"))
    .input(z.object({ ...invited, agency: formText, country: formText }))
    .output(z.object({ id: z.string() })),

  /** Sends an open or expired invitation again, for another 14 days. */
  sendAgain: one
    .route({
      method: "POST",
      path: "/invitations/{id}/mails",
      summary: "Send an invitation again",
      description:
        "The invitation can then be answered for another 14 days. `failed-precondition`: the invitation was answered or withdrawn.",
    })
    .errors(declared("already-exists"))
    .input(z.object({ id }))
    .output(done),

  withdraw: one
    .route({
      method: "POST",
      path: "/invitations/{id}/withdrawal",
      summary: "Withdraw an invitation",
      description:
        "The links of the invitation stop working. `failed-precondition`: the invitation is no longer open.",
    })
    .input(z.object({ id }))
    .output(done),

  /**
   * Returns the invitation of an emailed link. `account`: `new` if the address has no account, `yours` for one that can
   * accept, `taken` for a student who has another agent, `closed` for any other. `agency` and `country` are those of an
   * invited agent.
   */
  look: byLink.input(token).output(
    z.object({
      inviter: z.object({ name: z.string(), agency: z.string(), guides: z.boolean() }),
      role: z.enum(invitedRoles),
      agency: z.string(),
      country: z.string(),
      message: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      email: z.string(),
      account: z.enum(["new", "yours", "taken", "closed"]),
      expiresAt: z.date(),
    }),
  ),

  /** Creates the invited user's account and signs it in. A student is assigned to the inviter, an agent is approved. */
  claim: byLink
    .errors(
      declared("form/incomplete", "auth/weak-password", "auth/invalid-email", "auth/email-already-in-use"),
    )
    .input(
      token.extend({
        firstName: formText,
        lastName: formText,
        phone: formText,
        password: formText,
        confirmPassword: formText,
      }),
    )
    .output(z.object({ done: z.literal(true) })),

  /**
   * Accepts an invitation with the account that is logged in. `permission-denied`: the link is another account's.
   * `failed-precondition`: the student has another agent.
   */
  accept: byLink
    .errors(declared("unauthenticated", "permission-denied", "failed-precondition"))
    .input(token)
    .output(done),

  /** Declines an invitation. Its inviter can't invite the address again. */
  decline: byLink.input(token).output(done),
};
