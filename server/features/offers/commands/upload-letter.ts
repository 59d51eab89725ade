import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { type DocumentType, type UploadProblem, uploadRefusal } from "#domain/document.ts";
import { mayManageStudents } from "#domain/permission.ts";
import { applicationPath } from "#protocol/addresses.ts";
import { requireFreeSpace, withUploadAllowance } from "#server/features/account/upload-share.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { documentRules } from "#server/features/documents/commands/store-upload.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { removeUnrecorded } from "#server/features/files/tidy-files.ts";
import { notify } from "#server/features/notifications/commands.ts";
import { requireClean } from "#server/features/scanning/require-clean.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Transaction } from "#server/platform/database.ts";
import { isDatabaseFailure } from "#server/platform/error-code.ts";
import { RefusedFile } from "#server/platform/inspect-file.ts";
import { type Body, receiveUpload } from "#server/platform/receive-upload.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { applicationFor, letterOf, offerRow } from "../queries.ts";
import { addToTimeline, applicationNameFields, lockOpenOffer, recordChange } from "./open-offer.ts";

type Letter = { applicationId: string; name: string; size: number | null; body: Body };
type StoredLetter = {
  key: string;
  name: string;
  bytes: number;
  type: DocumentType;
  sha256: string;
  scan: "clean" | "off";
};

const refused = (problem: UploadProblem) => Refusal.of(uploadRefusal[problem]);

/** Refuses everybody but the assigned agent and admins before a byte of the file is read. */
export async function requireMover({ database }: Services, session: Session, applicationId: string) {
  const application = mayManageStudents(session)
    ? await applicationFor(database.db, session, applicationId)
    : null;
  if (!application) throw new Refusal("not-found");
}

/**
 * Stores the letter of an offer in place of any earlier one, and returns the offer's id. A refused or aborted upload
 * leaves nothing behind.
 */
export async function uploadLetter(services: Services, actor: Actor, letter: Letter): Promise<string> {
  const { storage, database } = services;
  const { applicationId, name } = letter;
  const key = `offer-letters/${applicationId}/${randomUUID()}`;
  await requireFreeSpace(services);
  const file = await receiveUpload(storage, documentRules, letter, (draft, received) =>
    withUploadAllowance(services, actor, received.bytes, async () => {
      const detail: AuditDetail = { kind: "offer-letter" };
      const scan = await requireClean(services, actor, draft, { infected: uploadRefusal.infected, detail });
      await storage.take(draft, key);
      return { ...received, scan };
    }),
  ).catch((error: unknown) => {
    throw error instanceof RefusedFile ? refused(error.problem) : error;
  });
  try {
    return await database.transaction((tx) =>
      record(services, tx, actor, applicationId, { key, name, ...file }),
    );
  } catch (error) {
    // After a database failure it is unknown whether the file was recorded, so the nightly tidy-up decides.
    if (!isDatabaseFailure(error)) await removeUnrecorded(services, [key]).catch(() => {});
    throw error;
  }
}

async function record(
  services: Services,
  tx: Transaction,
  actor: Actor,
  applicationId: string,
  { key, name, bytes, type, sha256, scan }: StoredLetter,
): Promise<string> {
  const open = await lockOpenOffer(tx, actor, applicationId, ["agent", "admin"]);
  const { application, student } = open;
  const row = await offerRow(tx, applicationId);
  if (!row) throw Refusal.conflict();
  const before = await letterOf(tx, row.id);
  if (before) {
    await tx.delete(storedFile).where(eq(storedFile.key, before.key));
    tx.afterCommit(() => removeUnrecorded(services, [before.key]));
  }
  await tx.insert(storedFile).values({
    key,
    purpose: "offerLetter",
    recordId: row.id,
    ownerId: student.id,
    name,
    mediaType: type,
    size: bytes,
    sha256,
    scan,
  });
  await addToTimeline(tx, actor, application, before ? "Offer letter replaced." : "Offer letter added.");
  await notify(services, tx, {
    userId: student.id,
    kind: "offerChanged",
    eventKey: `offer-changed:${applicationId}:${application.version + 1}`,
    topic: `offer:${applicationId}`,
    about: { ...applicationNameFields(application), changes: "offer letter" },
    ids: { studentId: student.id, applicationId },
    path: applicationPath(application.id),
  });
  await recordChange(services, tx, actor, open, { action: "offer-letter-uploaded" });
  return row.id;
}
