import { z } from "zod";
import { type AgentAction, agentActions } from "#domain/agent-approval.ts";
import { compose, greeting } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";

type Decision = { decision: AgentAction; email: string; firstName: string; reason: string };

const words: Record<AgentAction, { subject: string; text: string }> = {
  approve: {
    subject: "Your agent account has been approved",
    text: "Your Wayfare agent account has been approved. You can now start working with students.",
  },
  deny: {
    subject: "Your agent application",
    text: "Your application to become a Wayfare agent was not approved, and your details have been deleted.",
  },
  revoke: {
    subject: "Your agent access has been revoked",
    text: "Your access as a Wayfare agent has been revoked.",
  },
};

/**
 * Mails an agent about an admin's decision. The job carries the address, since a denied agent's record is gone by then.
 */
export const decisionMail: MailKind<Decision, Services> = {
  name: "agent-decision",
  data: z.object({
    decision: z.enum(agentActions),
    email: z.string(),
    firstName: z.string(),
    // Jobs of an earlier version have no reason.
    reason: z.string().default(""),
  }),
  async write({ environment }, { decision, email, firstName, reason }) {
    const { subject, text } = words[decision];
    const action = { label: "Open your dashboard", link: `${environment.baseUrl}/agent-dashboard` };
    const contact = `Any questions? Write to ${environment.contactEmail}.`;
    return compose({
      to: email,
      subject,
      paragraphs: [greeting(firstName), text, ...(reason ? [`Reason: ${reason}`] : []), contact],
      ...(decision === "approve" && { action }),
    });
  },
};
