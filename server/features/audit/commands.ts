import type { Database, Transaction } from "#server/platform/database.ts";
import { audit } from "./tables.ts";

export type AuditAction =
  | "sign-up"
  | "sign-in"
  | "sign-in-failed"
  | "sign-out"
  | "password-set"
  | "email-verified"
  | "agent-approved"
  | "agent-denied"
  | "agent-revoked"
  | "denial-lifted"
  | "admin-created"
  | "admin-removed";

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
