import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import {
  type DocumentKind,
  type DocumentType,
  documentLabel,
  documentLimits,
  documentTypes,
  imageProblem,
  type UploadProblem,
} from "#domain/document.ts";
import { isStudent } from "#domain/permission.ts";
import { standingOf } from "#server/features/account/queries.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { notify, touchDesks } from "#server/features/notifications/commands.ts";
import { lockStudent } from "#server/features/students/queries.ts";
import type { Transaction } from "#server/platform/database.ts";
import { createIntake } from "#server/platform/intake.ts";
import type { Body } from "#server/platform/request-body.ts";
import type { Services } from "#server/services.ts";
import { document } from "../tables.ts";
import { removeUnrecorded } from "./remove-orphans.ts";

/** `size` is what the browser announced, in bytes; null where it did not. The name is checked already. */
export type Upload = {
  kind: DocumentKind;
  name: string;
  size: number | null;
  body: Body;
};
const intakeOf = { types: documentTypes, bytes: documentLimits.bytes, sizeProblem: imageProblem };
export type UploadOutcome =
  | { kind: "uploaded"; id: string }
  | { kind: "problem"; problem: UploadProblem }
  | { kind: "notAllowed" };

/**
 * Takes a file into one of the student's slots (product decisions, "Documents"): first into the store, as it
 * streams, then into the records. A file that is refused or breaks off leaves nothing; of two into the same slot at
 * once the later replaces the earlier, which is kept.
 */
export async function uploadDocument(
  services: Services,
  actor: Actor,
  upload: Upload,
): Promise<UploadOutcome> {
  const { storage, database } = services;
  const storageKey = `documents/${upload.kind}/${actor.userId}/${randomUUID()}`;
  const intake = createIntake(intakeOf, upload.size);
  try {
    await storage.keep(storageKey, intake.through(upload.body));
  } catch (error) {
    const problem = intake.problem();
    if (problem === null) throw error;
    await intake.discard(upload.body);
    return { kind: "problem", problem };
  }
  const file = intake.result();
  if (file === null) throw new Error("an upload ended without being recognised");
  try {
    const { kind, name } = upload;
    const recorded = { kind, name, storageKey, ...file };
    const id = await database.transaction((tx) => record(services, tx, actor, recorded));
    if (id !== null) return { kind: "uploaded", id };
    await removeUnrecorded(services, [storageKey]);
    return { kind: "notAllowed" };
  } catch (error) {
    // When even this fails, or the process ends here, the nightly tidy-up does it.
    await removeUnrecorded(services, [storageKey]).catch(() => {});
    throw error;
  }
}

type Stored = { kind: DocumentKind; name: string; storageKey: string; bytes: number; type: DocumentType };

/** Puts the file into its slot and tells the agent; its id, or null when the account may not any more. */
async function record(
  services: Services,
  tx: Transaction,
  actor: Actor,
  file: Stored,
): Promise<string | null> {
  // Exclusive, and before anything else: one after the other, uploads to a slot replace each other.
  const student = await lockStudent(tx, actor.userId, "update");
  const standing = await standingOf(tx, actor.userId);
  if (!student || !standing || !isStudent(standing)) return null;
  const { kind, name, storageKey, bytes, type } = file;
  await tx
    .update(document)
    .set({ replacedAt: new Date() })
    .where(and(eq(document.studentId, student.id), eq(document.kind, kind), isNull(document.replacedAt)));
  const id = randomUUID();
  await tx.insert(document).values({
    id,
    studentId: student.id,
    kind,
    storageKey,
    originalName: name,
    mediaType: type,
    size: bytes,
  });
  await recordAudit(tx, {
    action: "document-uploaded",
    actorId: actor.userId,
    subjectId: student.id,
    address: actor.address,
    detail: { document: id, kind },
  });
  if (student.assignedAgentId !== null)
    await notify(services, tx, {
      userId: student.assignedAgentId,
      kind: "documentUploaded",
      eventKey: `document-uploaded:${id}`,
      about: { student: student.name, document: documentLabel[kind] },
      path: "/manage-students",
    });
  await touchDesks(services, tx, student.id, student.assignedAgentId);
  return id;
}
