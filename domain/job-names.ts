/** Queues of the jobs that the server does beside its requests, as people read them. */
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

/** Kinds of email, as people read them. */
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

const wordOf = (names: Readonly<Record<string, string>>, name: string): string => names[name] ?? name;

/** Names a job by its queue and, of an email, its kind. One of a former version stands under its own name. */
export const jobName = ({ queue, mail }: { queue: string; mail: string | null }): string =>
  mail === null ? wordOf(queueNames, queue) : `${wordOf(queueNames, queue)}: ${wordOf(mailNames, mail)}`;
