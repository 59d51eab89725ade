import type { AuditDetail } from "#domain/audit-detail.ts";
import {
  type DocumentType,
  documentLimits,
  documentTypes,
  imageProblem,
  type uploadRefusal,
} from "#domain/document.ts";
import { requireFreeSpace, withUploadAllowance } from "#server/features/account/upload-share.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { removeUnrecorded } from "#server/features/files/tidy-files.ts";
import { requireClean } from "#server/features/scanning/require-clean.ts";
import type { Transaction } from "#server/platform/database.ts";
import { isDatabaseFailure } from "#server/platform/error-code.ts";
import { RefusedFile } from "#server/platform/inspect-file.ts";
import { type Body, receiveUpload } from "#server/platform/receive-upload.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

export const documentRules = { types: documentTypes, bytes: documentLimits.bytes, sizeProblem: imageProblem };

/** `size` is in bytes, as the browser announced it; null if it did not. `detail` is for an audit entry on a virus. */
type IncomingFile = {
  storageKey: string;
  size: number | null;
  body: Body;
  refusal: typeof uploadRefusal;
  detail: AuditDetail;
};
/** A file that is in the store, but not recorded yet. */
export type KeptFile = { bytes: number; type: DocumentType; sha256: string; scan: "clean" | "off" };

/**
 * Stores a file under the rules for documents: it streams to disk, passes the virus scanner, and goes into the store;
 * `record` then writes its rows. A file that is refused or breaks off leaves nothing.
 */
export async function storeUpload<Result>(
  services: Services,
  actor: Actor,
  { storageKey, refusal, detail, ...upload }: IncomingFile,
  record: (tx: Transaction, file: KeptFile) => Promise<Result>,
): Promise<Result> {
  const { storage, database } = services;
  await requireFreeSpace(services);
  const file = await receiveUpload(storage, documentRules, upload, (draft, received) =>
    withUploadAllowance(services, actor, received.bytes, async () => {
      const scan = await requireClean(services, actor, draft, { infected: refusal.infected, detail });
      await storage.take(draft, storageKey);
      return { ...received, scan };
    }),
  ).catch((error: unknown) => {
    throw error instanceof RefusedFile ? Refusal.of(refusal[error.problem]) : error;
  });
  try {
    return await database.transaction((tx) => record(tx, file));
  } catch (error) {
    // After a database failure it is unknown whether the file was recorded: a connection can break while its commit
    // still comes through. The nightly tidy-up deletes such files, and those of failures here, once the answer is
    // certain.
    if (!isDatabaseFailure(error)) await removeUnrecorded(services, [storageKey]).catch(() => {});
    throw error;
  }
}
