import { and, asc, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { DocumentKind } from "#domain/document.ts";
import { decideMove, mayBeTakenBack } from "#domain/document-slots.ts";
import { isStudent } from "#domain/permission.ts";
import { standingOf } from "#server/features/account/queries.ts";
import { type Actor, type AuditEntry, recordAudit } from "#server/features/audit/commands.ts";
import { touchDesks } from "#server/features/notifications/commands.ts";
import { lockStudent } from "#server/features/students/queries.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { document } from "../tables.ts";
import { removeUnrecorded } from "./remove-orphans.ts";

/** `changed`: it has been approved meanwhile, or a file in the other slot has. */
export type MoveResult = "done" | "notFound" | "changed";

/** A file that waits for review again, as one that has just been uploaded. */
const unseen = { state: "uploaded", reason: "", reviewedBy: null, reviewedAt: null } as const;

/** Moves a student's own file to another slot; one that is there comes in its place. */
export async function moveDocument(
  services: Services,
  actor: Actor,
  { documentId, to }: { documentId: string; to: DocumentKind },
): Promise<MoveResult> {
  return await services.database.transaction(async (tx) => {
    const slots = await lockSlots(tx, actor);
    const file = slots?.files.find(({ id }) => id === documentId);
    if (!slots || !file) return "notFound";
    const other = slots.files.find(({ kind }) => kind === to);
    if (file.kind === to || decideMove(file.state, other?.state ?? null) === "notPossible") return "changed";
    // Two files never share a slot, not even for a moment.
    if (other) await tx.update(document).set({ replacedAt: new Date() }).where(eq(document.id, other.id));
    await tx
      .update(document)
      .set({ ...unseen, kind: to })
      .where(eq(document.id, file.id));
    if (other)
      await tx
        .update(document)
        .set({ ...unseen, kind: file.kind, replacedAt: null })
        .where(eq(document.id, other.id));
    else await restore(tx, actor.userId, file.kind);
    const detail = { document: file.id, from: file.kind, to, ...(other && { swapped: other.id }) };
    await tell(services, tx, actor, slots.agentId, "document-moved", detail);
    return "done";
  });
}

/** Deletes a student's own file, and puts the version before it back into the slot. */
export async function takeBackDocument(
  services: Services,
  actor: Actor,
  documentId: string,
): Promise<MoveResult> {
  const taken = await services.database.transaction(async (tx) => {
    const slots = await lockSlots(tx, actor);
    const file = slots?.files.find(({ id }) => id === documentId);
    if (!slots || !file) return "notFound";
    if (!mayBeTakenBack(file.state)) return "changed";
    await tx.delete(document).where(eq(document.id, file.id));
    await restore(tx, actor.userId, file.kind);
    const detail = { document: file.id, kind: file.kind };
    await tell(services, tx, actor, slots.agentId, "document-taken-back", detail);
    return file;
  });
  if (typeof taken === "string") return taken;
  // What is left here by a crash goes at night.
  await removeUnrecorded(services, [taken.storageKey]);
  return "done";
}

/** The files in the student's slots, unchangeable until the transaction ends; null for who is no student any more. */
async function lockSlots(tx: Transaction, { userId }: Actor) {
  // Exclusive, as an upload locks it; an agent's review waits, and finds what has become of the file.
  const student = await lockStudent(tx, userId, "update");
  const standing = await standingOf(tx, userId);
  if (!student || !standing || !isStudent(standing)) return null;
  const files = await tx
    .select({
      id: document.id,
      kind: document.kind,
      state: document.state,
      storageKey: document.storageKey,
    })
    .from(document)
    .where(and(eq(document.studentId, userId), isNull(document.replacedAt)));
  return { files, agentId: student.assignedAgentId };
}

/** What was in the slot before comes back, as it was. */
async function restore(tx: Transaction, studentId: string, kind: DocumentKind): Promise<void> {
  const [latest] = await tx
    .select({ id: document.id })
    .from(document)
    .where(and(eq(document.studentId, studentId), eq(document.kind, kind), isNotNull(document.replacedAt)))
    .orderBy(desc(document.replacedAt), asc(document.id))
    .limit(1);
  if (latest) await tx.update(document).set({ replacedAt: null }).where(eq(document.id, latest.id));
}

async function tell(
  services: Services,
  tx: Transaction,
  { userId, address }: Actor,
  agentId: string | null,
  action: AuditEntry["action"],
  detail: Record<string, string>,
): Promise<void> {
  await recordAudit(tx, { action, actorId: userId, subjectId: userId, address, detail });
  await touchDesks(services, tx, userId, agentId);
}
