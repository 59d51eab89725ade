import { z } from "zod";
import { accountSearchLimit } from "#domain/account-list.ts";
import { agentTabs } from "#domain/agent-approval.ts";
import { changeOutcomes } from "#domain/agent-change.ts";
import { adminRowsPerPage, agentsPerPage } from "#protocol/page-sizes.ts";
import { done, formText, guarded, id, pageOf, text } from "./base.ts";
import { declared } from "./errors.ts";

/** An agent's card on the admin dashboard. A denied application has only the email address. */
const agentCard = z
  .object({
    id: z.string(),
    kind: z.enum(["pending", "approved", "revoked", "denied", "disabled", "leaving"]),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    phone: z.string(),
    agency: z.string(),
    country: z.string(),
    /** The number of students assigned to the agent. */
    students: z.number(),
    /** The time of the application, approval, revocation, denial, disabling or request to leave; null if unknown. */
    date: z.date().nullable(),
    /** The email address of the admin who did it. */
    by: z.string().nullable(),
    /** The date on which the account is erased; null for most. */
    erasedOn: z.date().nullable(),
    /** Whether the agent was approved once. */
    wasApproved: z.boolean(),
  })
  .meta({ title: "Agent" });
export type AgentCard = z.infer<typeof agentCard>;

const person = z.object({ id: z.string(), name: z.string() }).meta({ title: "NamedPerson" });
/** A student's request for another agent; `agent` is null if that account is deleted. */
const changeRequest = z
  .object({
    id: z.string(),
    student: person,
    agent: person.nullable(),
    reason: z.string(),
    askedAt: z.date(),
    dueAt: z.date(),
    overdue: z.boolean(),
  })
  .meta({ title: "AgentChangeRequest" });
export type AgentChangeRequest = z.infer<typeof changeRequest>;

const about = z.object({ id });
const conflict = guarded({ who: "admin" }).errors(declared("not-found", "failed-precondition"));
/** A form's text may exceed the limit, so that the check of the field can return a message. */
const withReason = conflict
  .errors(declared("form/incomplete"))
  .input(about.extend({ reason: text(4096).default("") }))
  .output(done);

/** The calls of the admin dashboard, for admins only. */
export const agents = {
  counts: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/agents/counts",
      summary: "Count pending, approved and former agents",
      description: "Returns the number of agents in each tab of the admin dashboard.",
    })
    .output(z.object({ pending: z.number(), approved: z.number(), former: z.number() })),
  list: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/agents",
      summary: "List agents by tab",
      description:
        "Returns agents, newest first, 50 per page. `search` matches parts of the name, agency and email address in any order. Only the email address of a denied agent is known.",
    })
    .errors(declared("deadline-exceeded"))
    .input(
      z.object({
        tab: z.enum(agentTabs),
        search: text(accountSearchLimit).default(""),
        ...pageOf(agentsPerPage),
      }),
    )
    .output(z.object({ agents: z.array(agentCard), next: z.string().nullable() })),
  approve: conflict
    .route({
      method: "POST",
      path: "/agents/{id}/approval",
      summary: "Approve an agent",
      description:
        "Approves a pending agent, or one whose access was revoked. `agent/unverified`: the agent hasn't verified their email address yet.",
    })
    .errors(declared("agent/unverified"))
    .input(about)
    .output(done),
  deny: withReason.route({
    method: "POST",
    path: "/agents/{id}/denial",
    summary: "Deny an agent's application",
    description:
      "Deletes the personal record of the application and prevents the email address from signing up again. The agent is notified by email, with the `reason` if there is one.",
  }),
  revoke: withReason.route({
    method: "POST",
    path: "/agents/{id}/revocation",
    summary: "Revoke an agent's access",
    description:
      "Ends the agent's access immediately. The agent is notified by email, with the `reason` if there is one.",
  }),
  resendVerification: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/agents/{id}/verification-emails",
      summary: "Email a waiting agent the verification link again",
      description:
        "The link verifies the agent's email address. No agent can be approved without a verified address.",
    })
    .errors(declared("not-found"))
    .input(about)
    .output(done),
  liftDenial: conflict
    .route({
      method: "DELETE",
      path: "/agents/{id}/denial",
      summary: "Let a denied address sign up again",
      description: "Takes back a denial. `id` is its id in the list of former agents.",
    })
    .input(about)
    .output(done),

  /** Open requests of students for another agent, the one that is due first at the top. */
  changeRequests: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/agent-change-requests",
      summary: "List students' requests for another agent",
      description: "Returns open requests, those due first at the top. Agents never see them.",
    })
    .input(z.object(pageOf(adminRowsPerPage)))
    .output(
      z.object({
        requests: z.array(changeRequest),
        total: z.number().int(),
        next: z.string().nullable(),
      }),
    ),

  /**
   * Answers a request: another agent, none, or the agent stays for a reason that the student reads.
   * `failed-precondition`: it was answered already, the student has another agent by now, or the chosen agent isn't
   * approved any more.
   */
  decideChange: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/agent-change-requests/{requestId}/decision",
      summary: "Answer a student's request for another agent",
      description:
        "`agentId` is required for the outcome `another`, and `reason`, which the student reads, for `stays`. `failed-precondition`: the request has already been answered, the student has another agent by now, or the chosen agent is no longer approved.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        requestId: id,
        outcome: z.enum(changeOutcomes),
        agentId: id.nullable().default(null),
        reason: formText,
      }),
    )
    .output(done),
};
