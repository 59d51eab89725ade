import type { AgentCard } from "#contract/agents.ts";
import { daysWithStudents } from "#domain/disabling.ts";
import { numberOfStudents } from "#domain/student-list.ts";
import { disablingQuestion, isDisabledNow, isEnabledAgain } from "../../lib/disabling.ts";
import { rpc } from "../../lib/rpc.ts";

/** The decisions that an admin can take about an agent, or about any account in the list of accounts. */
export type Decision =
  | "approve"
  | "approveAgain"
  | "resendVerification"
  | "deny"
  | "revoke"
  | "liftDenial"
  | "disable"
  | "enable"
  | "logOut";

/** The person that a decision is about: an agent of the dashboard, or anyone in the list of accounts. */
export type About = Pick<AgentCard, "id" | "name" | "email" | "students">;

/** The additional answers of a decision. Each is only used if the decision's question asks for it. */
export type Answers = { reason: string; isTicked: boolean };

/** The question before a decision that needs a confirmation. `aside` says what happens to the agent's students. */
type Question = {
  title: string;
  text: string;
  aside?: string | undefined;
  action: string;
  /** Whether the decision takes nothing away from the person. */
  harmless?: true;
  /** Whether a reason can be given, which is mailed to the agent. */
  asksReason?: boolean;
  /** The label of a checkbox for an optional effect of the decision. */
  checkbox?: string | undefined;
};

type DecisionWords = {
  label: string;
  call: (input: { id: string } & Answers) => Promise<unknown>;
  question?: (about: About) => Question;
  done: (about: About) => string;
  failed: string;
};

const approval = {
  call: ({ id }: { id: string }) => rpc.agents.approve({ id }),
  done: () => "Agent approved successfully!",
  failed: "Error approving agent. Please try again.",
};

export const decisions: Record<Decision, DecisionWords> = {
  approve: { ...approval, label: "Approve" },
  approveAgain: {
    ...approval,
    label: "Approve again",
    question: ({ name, email }) => ({
      title: "Approve again",
      text: `Give ${name || email} access again? They can see every student. Their former students aren't assigned to them again.`,
      action: "Approve again",
      harmless: true,
    }),
  },
  resendVerification: {
    label: "Resend verification link",
    call: ({ id }) => rpc.agents.resendVerification({ id }),
    done: ({ email }) => `We've sent a verification link to ${email}.`,
    failed: "Error sending the link. Please try again.",
  },
  deny: {
    label: "Deny",
    call: ({ id, reason }) => rpc.agents.deny({ id, reason }),
    question: () => ({
      title: "Deny application",
      text: "Are you sure you want to deny this agent application? This action cannot be undone.",
      action: "Deny",
      asksReason: true,
    }),
    done: () => "Agent application denied and removed.",
    failed: "Error denying agent. Please try again.",
  },
  revoke: {
    label: "Revoke",
    call: ({ id, reason }) => rpc.agents.revoke({ id, reason }),
    question: ({ students }) => ({
      title: "Revoke access",
      text: "Are you sure you want to revoke this agent's access?",
      aside:
        students > 0
          ? `${numberOfStudents(students)} will be left without an agent. To give them a new agent first, cancel and choose Reassign students.`
          : undefined,
      action: "Revoke",
      asksReason: true,
    }),
    done: () => "Agent access revoked successfully!",
    failed: "Error revoking agent. Please try again.",
  },
  liftDenial: {
    label: "Lift denial",
    call: ({ id }) => rpc.agents.liftDenial({ id }),
    question: ({ email }) => ({
      title: "Lift denial",
      text: `Let ${email} sign up again? What we've kept of the denied application, the address and the password, is deleted.`,
      action: "Lift denial",
      harmless: true,
    }),
    done: () => "Denial lifted. This address may sign up again.",
    failed: "Error lifting denial. Please try again.",
  },
  disable: {
    label: "Disable",
    call: ({ id, isTicked }) =>
      rpc.students.setDisabled({ userId: id, disabled: true, releaseStudents: isTicked }),
    question: ({ name, email, students }) => ({
      ...disablingQuestion(name || email),
      aside:
        students > 0
          ? `${numberOfStudents(students)} will stay assigned for ${daysWithStudents} days, then be left without an agent.`
          : undefined,
      checkbox: students > 0 ? "Leave them without an agent now" : undefined,
    }),
    done: ({ name, email }) => isDisabledNow(name || email),
    failed: "Error disabling the account. Please try again.",
  },
  enable: {
    label: "Enable",
    call: ({ id }) => rpc.students.setDisabled({ userId: id, disabled: false }),
    done: ({ name, email }) => isEnabledAgain(name || email),
    failed: "Error enabling the account. Please try again.",
  },
  logOut: {
    label: "Log out",
    call: ({ id, isTicked }) => rpc.accounts.signOut({ userId: id, withKeys: isTicked }),
    question: ({ name, email }) => ({
      title: "Log out everywhere",
      text: `Log ${name || email} out on every device? They can log in again at once. API keys, webhooks and the calendar's address stay. If somebody else may know the password, disable the account instead.`,
      checkbox: "End API keys and the calendar's address too",
      action: "Log out",
    }),
    done: ({ name, email }) => `${name || email} is logged out everywhere.`,
    failed: "Error logging the account out. Please try again.",
  },
};

const byKind: Record<Exclude<AgentCard["kind"], "leaving">, readonly Decision[]> = {
  pending: ["approve", "deny", "disable"],
  approved: ["revoke", "disable"],
  revoked: ["approveAgain"],
  denied: ["liftDenial"],
  disabled: ["enable"],
};
const approvals: ReadonlySet<Decision> = new Set(["approve", "approveAgain"]);

/** Returns the possible decisions. An agent who is leaving can be shut out, but only they can cancel their leaving. */
const possible = ({ kind, wasApproved }: AgentCard): readonly Decision[] =>
  kind === "leaving" ? [wasApproved ? "revoke" : "deny", "disable"] : byKind[kind];

/** Whether the agent could be approved if their address were verified. */
export const needsVerifying = (agent: AgentCard): boolean =>
  !agent.emailVerified && possible(agent).some((decision) => approvals.has(decision));

/** Returns the decisions that are possible about an agent now, the most likely first. */
export const decisionsFor = (agent: AgentCard): readonly Decision[] =>
  needsVerifying(agent)
    ? ["resendVerification", ...possible(agent).filter((decision) => !approvals.has(decision))]
    : possible(agent);
