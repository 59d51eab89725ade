import type { Environment } from "#server/platform/environment.ts";

type Settings = Pick<Environment, "baseUrl" | "smtpUrl" | "adminEmails" | "secondFactorRequired">;

/** Returns the admins at domains that can never exist (RFC 2606). */
export const demoAdmins = ({ adminEmails }: Pick<Settings, "adminEmails">): readonly string[] =>
  adminEmails.filter((email) => email.endsWith(".example"));

/** Returns why the demo must not be put into this Wayfare, in the operator's words, or null if it may. */
export function objection(settings: Settings): string | null {
  if (settings.baseUrl.startsWith("https:"))
    return "The demo's passwords are known to everyone, so it is not put into a Wayfare whose BASE_URL is https.";
  if (settings.smtpUrl !== null)
    return "The demo's people have no mailboxes: leave SMTP_URL unset, and mails are written to DATA_DIR/mail.";
  if (demoAdmins(settings).length === 0)
    return "The demo's admin has an address that ends in .example: leave ADMIN_EMAILS unset, or add admin@wayfare.example to it.";
  if (settings.secondFactorRequired.length > 0)
    return "The demo's people log in with a password alone: leave SECOND_FACTOR_REQUIRED and ADMIN_SECOND_FACTOR unset.";
  return null;
}
