import { roles } from "../account.ts";
import { kind } from "./kind.ts";

/** Notifications about reports, for admins and reporters. */
export const reports = {
  reportSent: kind({
    label: "An item or a member was reported",
    roles: ["admin"],
    about: { product: "always", reason: "always" },
    ids: { reportId: "always", productId: "always" },
    event: "report.sent",
    mail: "reports",
    reachesLeaving: false,
    title: ({ product = "an item" }) => `New report about ${product}`,
    details: ({ reason }) => (reason === undefined ? "" : `${reason}.`),
    button: "Look at the report",
  }),
  reportAnswered: kind({
    label: "Your report was answered",
    roles,
    // The item may be deleted by then.
    about: { product: "sometimes", reason: "always" },
    ids: { reportId: "always", productId: "always" },
    event: "report.answered",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ product = "an item" }) => `We've looked at your report about ${product}`,
    details: ({ reason = "" }) => reason,
    button: "See your notifications",
  }),
};
