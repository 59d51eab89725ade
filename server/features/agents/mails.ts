import { z } from "zod";
import type { AgentAction } from "#domain/agent-approval.ts";
import { compose } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";

type Decision = { decision: AgentAction; email: string; firstName: string };

const words: Record<AgentAction, { subject: string; text: string }> = {
  approve: {
    subject: "Your agent account has been approved",
    text: "your Wayfare agent account has been approved. You can start to guide students now.",
  },
  deny: {
    subject: "Your agent application",
    text: "your application as a Wayfare agent has been denied, and what you entered has been deleted.",
  },
  revoke: {
    subject: "Your agent access has been revoked",
    text: "your access as a Wayfare agent has been revoked.",
  },
};

/** Tells an agent what an admin decided. It carries the address, since a denied agent's record is gone by then. */
export const decisionMail: MailKind<Decision, Services> = {
  name: "agent-decision",
  data: z.object({
    decision: z.enum(["approve", "deny", "revoke"]),
    email: z.string(),
    firstName: z.string(),
  }),
  async write({ environment }, { decision, email, firstName }) {
    const { subject, text } = words[decision];
    const action = { label: "Open my dashboard", link: `${environment.baseUrl}/agent-dashboard` };
    const contact = `If you have a question, write to ${environment.contactEmail}.`;
    return compose({
      to: email,
      subject,
      paragraphs: [`Hello ${firstName},`, text, contact],
      ...(decision === "approve" && { action }),
    });
  },
};
