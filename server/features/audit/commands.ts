import type { Database, Transaction } from "#server/platform/database.ts";
import { audit } from "./tables.ts";

export type AuditAction =
  | "sign-up"
  | "sign-in"
  | "sign-in-failed"
  | "sign-out"
  | "password-set"
  | "email-verified"
  | "email-change-asked"
  | "email-changed"
  | "profile-saved"
  | "agent-approved"
  | "agent-denied"
  | "agent-revoked"
  | "denial-lifted"
  | "admin-created"
  | "admin-removed"
  | "application-submitted"
  | "application-moved"
  | "shortlist-added"
  | "shortlist-removed"
  | "agent-assigned"
  | "agent-unassigned"
  | "document-uploaded"
  | "document-viewed"
  | "document-downloaded"
  | "document-approved"
  | "document-rejected"
  | "identity-viewed"
  | "account-disabled"
  | "account-enabled"
  | "product-uploaded"
  | "product-removed"
  | "auction-settled";

/** Who acts, and from where. */
export type Actor = { userId: string; address: string };

/** `actorId` acts on `subjectId`; both are account ids. `address` is where the request came from. */
export type AuditEntry = {
  action: AuditAction;
  actorId?: string | null;
  subjectId?: string | null;
  address?: string;
  detail?: Record<string, string>;
};

/** Writes entries, in the transaction of what they tell. */
export async function recordAudit(tx: Transaction | Database["db"], ...entries: AuditEntry[]): Promise<void> {
  if (entries.length > 0) await tx.insert(audit).values(entries);
}
