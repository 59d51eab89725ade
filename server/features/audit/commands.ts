import { type AuditAction, operator } from "#domain/audit.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import type { Reader } from "#server/platform/database.ts";
import { audit } from "./tables.ts";

/** The person who acts, and their network address. */
export type Actor = { userId: string; address: string };

/** Returns the actor's part of an entry. Null means the operator, who runs a command on the server. */
export const actedBy = (actor: Actor | null): Pick<AuditEntry, "actorId" | "address" | "detail"> =>
  actor ? { actorId: actor.userId, address: actor.address } : { detail: { by: operator } };

/** `actorId` acts on `subjectId`; both are account ids. `address` is where the request came from. */
export type AuditEntry = {
  action: AuditAction;
  actorId?: string | null;
  subjectId?: string | null;
  address?: string;
  detail?: AuditDetail;
};

/** Writes entries in the transaction of the change that they record. */
export async function recordAudit(tx: Reader, ...entries: AuditEntry[]): Promise<void> {
  if (entries.length > 0) await tx.insert(audit).values(entries);
}

/** Records a change that a user made to their own account. */
export const recordOwn = (
  tx: Reader,
  action: AuditAction,
  actor: Actor,
  detail?: AuditDetail,
): Promise<void> =>
  recordAudit(tx, { action, ...actedBy(actor), subjectId: actor.userId, ...(detail && { detail }) });
