/** Labels of the queues of background jobs. */
export const queueNames = {
  mail: "Email",
  webhook: "Webhook",
  push: "Notification on a device",
  "bulk-run": "Act on many students",
  reminders: "Reminders",
  "offers-overdue": "Overdue offers",
  watching: "Watched items and saved searches",
  "new-item": "New item for saved searches",
  "tidy-up": "Nightly tidy-up",
} as const;
export type QueueName = keyof typeof queueNames;

/** Labels of the kinds of email. */
const mailNames = {
  "verify-email": "verification link",
  "reset-password": "password reset",
  "admin-link": "administrator's link",
  "change-email": "change of address",
  "email-changed": "address changed",
  "mailbox-code": "code",
  security: "change of how to log in",
  "agent-decision": "decision about an agent",
  invitation: "invitation",
  "details-edited": "details edited by an admin",
  notification: "notification",
  "deletion-asked": "deletion request",
  "account-kept": "account kept",
  "unused-account": "unused account",
  contact: "contact form",
} as const;
export type MailName = keyof typeof mailNames;

const labelOf = (names: Readonly<Record<string, string>>, name: string): string => names[name] ?? name;

/** Returns the label of a job by its queue and, for an email, its kind. Unknown names are returned as they are. */
export const jobName = ({ queue, mail }: { queue: string; mail: string | null }): string =>
  mail === null ? labelOf(queueNames, queue) : `${labelOf(queueNames, queue)}: ${labelOf(mailNames, mail)}`;
