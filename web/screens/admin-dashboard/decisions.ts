import type { AgentCard } from "#contract/agents.ts";
import { disablingQuestion, isDisabledNow, isEnabledAgain } from "../../lib/disabling.ts";
import { rpc } from "../../lib/rpc.ts";

/** What an admin can decide about an agent (spec 4; "Undoing" and "Disabled" of the product decisions). */
export type Decision = "approve" | "approveAgain" | "deny" | "revoke" | "liftDenial" | "disable" | "enable";

type Question = { title: string; text: string; action: string };

type DecisionWords = {
  label: string;
  call: (input: { id: string }) => Promise<unknown>;
  /** Asked before it is done, where it takes something away; about an agent of that name. */
  question?: (name: string) => Question;
  done: (name: string) => string;
  failed: string;
};

const approval = {
  call: rpc.agents.approve,
  done: () => "Agent approved successfully!",
  failed: "Error approving agent. Please try again.",
};

/** The words of every decision, to the letter of spec 8 where it has them. */
export const decisions: Record<Decision, DecisionWords> = {
  approve: { ...approval, label: "Approve" },
  approveAgain: { ...approval, label: "Approve again" },
  deny: {
    label: "Deny",
    call: rpc.agents.deny,
    question: () => ({
      title: "Deny application",
      text: "Are you sure you want to deny this agent application? This action cannot be undone.",
      action: "Deny",
    }),
    done: () => "Agent application denied and removed.",
    failed: "Error denying agent. Please try again.",
  },
  revoke: {
    label: "Revoke",
    call: rpc.agents.revoke,
    question: () => ({
      title: "Revoke access",
      text: "Are you sure you want to revoke this agent's access?",
      action: "Revoke",
    }),
    done: () => "Agent access revoked successfully!",
    failed: "Error revoking agent. Please try again.",
  },
  liftDenial: {
    label: "Lift denial",
    call: rpc.agents.liftDenial,
    done: () => "Denial lifted. This address may sign up again.",
    failed: "Error lifting denial. Please try again.",
  },
  disable: {
    label: "Disable",
    call: ({ id }) => rpc.students.setDisabled({ userId: id, disabled: true }),
    question: disablingQuestion,
    done: isDisabledNow,
    failed: "Error disabling agent. Please try again.",
  },
  enable: {
    label: "Enable",
    call: ({ id }) => rpc.students.setDisabled({ userId: id, disabled: false }),
    done: isEnabledAgain,
    failed: "Error enabling agent. Please try again.",
  },
};

/** What can be decided about an agent as they stand. */
export const decisionsFor: Record<AgentCard["kind"], readonly Decision[]> = {
  pending: ["approve", "deny", "disable"],
  approved: ["revoke", "disable"],
  revoked: ["approveAgain"],
  denied: ["liftDenial"],
  disabled: ["enable"],
};
