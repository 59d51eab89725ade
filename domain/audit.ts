import { limits } from "#domain/account.ts";

/** Actions in the audit log, each with its name for people. */
export const auditActions = {
  "sign-up": "Signed up",
  "sign-in": "Logged in",
  "sign-in-failed": "Failed to log in",
  "sign-in-locked": "Tried to log in while locked",
  "sign-out": "Logged out",
  "identity-confirmed": "Confirmed their identity",
  "password-set": "Set a password",
  "password-changed": "Changed the password",
  "second-factor-added": "Turned on two-step login",
  "second-factor-removed": "Turned off two-step login",
  "recovery-codes-renewed": "Made new recovery codes",
  "recovery-code-used": "Used a recovery code",
  "api-key-created": "Created an API key",
  "api-key-revoked": "Revoked an API key",
  "email-verified": "Verified an email address",
  "email-change-asked": "Asked to change the email address",
  "email-change-cancelled": "Cancelled a change of email address",
  "email-changed": "Changed the email address",
  "profile-saved": "Saved a profile",
  "account-disabled": "Disabled an account",
  "account-enabled": "Enabled an account",
  "data-downloaded": "Downloaded their own data",
  "deletion-asked": "Asked to delete their account",
  "deletion-cancelled": "Cancelled the deletion of their account",
  "deletion-announced": "Was warned that their unused account will be deleted",
  "sessions-ended": "Logged out an account",
  "account-erased": "Erased an account",
  "accounts-exported": "Exported the accounts",
  "agent-approved": "Approved an agent",
  "agent-denied": "Denied an agent",
  "agent-revoked": "Revoked an agent's access",
  "denial-lifted": "Lifted a denial",
  "agent-assigned": "Assigned an agent",
  "agent-unassigned": "Left a student without an agent",
  "admin-created": "Became an admin",
  "admin-removed": "Removed an admin",
  "identity-viewed": "Viewed identity details",
  "application-submitted": "Submitted an application",
  "application-moved": "Moved an application",
  "shortlist-added": "Added to a shortlist",
  "shortlist-removed": "Removed from a shortlist",
  "document-uploaded": "Uploaded a document",
  "document-moved": "Moved a document",
  "document-taken-back": "Took a document back",
  "document-viewed": "Viewed a document",
  "document-downloaded": "Downloaded a document",
  "document-approved": "Approved a document",
  "document-rejected": "Rejected a document",
  "virus-found": "Uploaded a file with a virus",
  "product-uploaded": "Listed an item",
  "product-removed": "Removed an item",
  "auction-settled": "Settled an auction",
  "webhook-added": "Added a webhook",
  "webhook-changed": "Changed a webhook",
  "webhook-paused": "Paused a webhook",
  "webhook-resumed": "Turned a webhook on again",
  "webhook-secret-rotated": "Replaced a webhook's secret",
  "webhook-removed": "Removed a webhook",
  "webhook-stopped": "Stopped a webhook",
  "access-refused": "Was refused access",
  "audit-exported": "Exported the audit log",
  "audit-checked": "Checked the audit log",
  "audit-trimmed": "Removed old entries of the audit log",
  "files-checked": "Checked the stored files",
  "backed-up": "Made a backup",
  "job-retried": "Retried a failed job",
  imported: "Took over rows of an older product",
} as const;
export type AuditAction = keyof typeof auditActions;

export const isAuditAction = (text: string): text is AuditAction => Object.hasOwn(auditActions, text);

/**
 * Stands in place of an address for commands that are run on the server itself. Such an entry names no account; its
 * detail says `by: operator`.
 */
export const operator = "operator";

/** Most characters of a search in the log: an email address, an account's id, or `operator`. */
export const auditPersonLimit = limits.email;
