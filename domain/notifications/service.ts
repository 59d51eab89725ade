import { accountKeptText } from "../deletion.ts";
import { because, kind } from "./kind.ts";

/** Notifications about the service itself and about the reader's account. */
export const service = {
  auditBroken: kind({
    label: "The audit log was changed",
    roles: ["admin"],
    about: { problem: "always" },
    ids: {},
    event: "audit.broken",
    mail: "immediate",
    reachesLeaving: false,
    title: () => "The audit log was changed",
    details: ({ problem }) =>
      `The nightly check found that the audit log isn't what was written${problem === undefined ? "" : `. ${problem}`}. Please tell whoever runs your server right away.`,
    button: "Open the audit log",
  }),
  accountKept: kind({
    label: "Your account is kept",
    roles: [],
    about: {},
    ids: {},
    event: "account.kept",
    // Another email, which can't be switched off, informs the user.
    mail: "never",
    reachesLeaving: false,
    title: () => "Your account is kept",
    details: () => accountKeptText,
    button: "See your data",
  }),
};

export const webhooks = {
  webhookStopped: kind({
    label: "A webhook was stopped",
    roles: ["agent", "admin"],
    about: { webhook: "always", reason: "always" },
    ids: { webhookId: "always" },
    event: "webhook.stopped",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ webhook = "your server" }) => `Your webhook to ${webhook} was stopped`,
    details: (about) => `We've stopped sending to it.${because(about)} You can turn it on again.`,
    button: "See your webhooks",
  }),
};
