import { randomUUID } from "node:crypto";
import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { messageFileRefusal, sideOf } from "#domain/conversation.ts";
import type { DocumentKind } from "#domain/document.ts";
import { maySeePapers } from "#domain/permission.ts";
import { isUuid } from "#domain/uuid.ts";
import { refundFailure, requireAllowance } from "#server/features/account/allowance.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { storeUpload } from "#server/features/documents/commands/store-upload.ts";
import { uploadDocument } from "#server/features/documents/commands/upload.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { removeUnrecorded } from "#server/features/files/tidy-files.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { advisoryLocks } from "#server/platform/advisory-locks.ts";
import type { Body } from "#server/platform/receive-upload.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { fileFor, roomForFile } from "../message-files.ts";
import { messageFile } from "../tables.ts";
import { lockParticipant } from "./threads.ts";

/** `size` is in bytes, as the browser announced it; null if it did not. The caller has checked the name. */
type Upload = { studentId: string; name: string; size: number | null; body: Body };

/** Uploads a file for a message in one of a student's threads. Resolves to its id. */
export async function uploadMessageFile(
  services: Services,
  actor: Actor,
  { studentId, name, ...upload }: Upload,
): Promise<string> {
  // The right is checked before a byte is read, and again when the file is recorded.
  await services.database.transaction((tx) => lockParticipant(tx, actor, studentId));
  const allowance = requireAllowance(await services.limits.messageFile(actor.userId));
  const storageKey = `messages/${studentId}/${randomUUID()}`;
  const incoming = {
    ...upload,
    storageKey,
    refusal: messageFileRefusal,
    detail: { kind: "message-file" },
  };
  const storing = storeUpload(services, actor, incoming, async (tx, file) => {
    const { who } = await lockParticipant(tx, actor, studentId);
    // Uploads for a student are recorded one at a time, so that together they can't exceed the limit.
    await tx.execute(
      sql`select pg_advisory_xact_lock(${advisoryLocks.messageFiles}, hashtext(${studentId}))`,
    );
    const full = await roomForFile(tx, studentId, file.bytes);
    if (full) throw Refusal.of(messageFileRefusal[full]);
    const id = randomUUID();
    const { type: mediaType, bytes: size, sha256, scan } = file;
    const shared = { name, mediaType, size };
    await tx.insert(storedFile).values({
      ...shared,
      key: storageKey,
      purpose: "message",
      recordId: id,
      ownerId: studentId,
      sha256,
      scan,
    });
    await tx
      .insert(messageFile)
      .values({ ...shared, id, studentId, authorId: who.id, side: sideOf(who), storageKey });
    return id;
  });
  return await refundFailure(allowance, storing);
}

/** Deletes one of the actor's own files that is in no message yet. */
export async function discardFile(services: Services, actor: Actor, fileId: string): Promise<void> {
  if (!isUuid(fileId)) throw new Refusal("not-found");
  const rows = await services.database.db
    .delete(messageFile)
    .where(
      and(eq(messageFile.id, fileId), eq(messageFile.authorId, actor.userId), isNull(messageFile.number)),
    )
    .returning({ key: messageFile.storageKey });
  if (rows.length === 0) throw new Refusal("not-found");
  await removeUnrecorded(
    services,
    rows.map(({ key }) => key),
  );
}

const day = 24 * 3_600_000;

/** Deletes files that were uploaded a day ago and never sent. */
export async function removeUnsentFiles(services: Services, now = new Date()): Promise<void> {
  const rows = await services.database.db
    .delete(messageFile)
    .where(and(isNull(messageFile.number), lt(messageFile.uploadedAt, new Date(now.getTime() - day))))
    .returning({ key: messageFile.storageKey });
  await removeUnrecorded(
    services,
    rows.map(({ key }) => key),
  );
}

/**
 * Copies a file of a message into a slot of the student's documents, by the ordinary upload. The student may copy any
 * file, staff only the student's.
 */
export async function keepAsDocument(
  services: Services,
  session: Session,
  actor: Actor,
  { fileId, kind }: { fileId: string; kind: DocumentKind },
): Promise<void> {
  const file = await fileFor(services.database.db, session, fileId);
  if (!file) throw new Refusal("not-found");
  if (sideOf(session) === "staff" && file.side === "staff") throw new Refusal("permission-denied");
  requireAllowance(await services.limits.upload(actor.userId));
  // The file is opened when it is read, since the message may be blacked out before that.
  const { storage } = services;
  const bytes = (async function* () {
    yield* await storage.disk.getStream(file.storageKey);
  })();
  const upload = { kind, name: file.name, size: file.size, body: () => bytes };
  const onBehalf = actor.userId === file.studentId ? null : { studentId: file.studentId, may: maySeePapers };
  await uploadDocument(services, actor, upload, onBehalf);
  await services.database.db.update(messageFile).set({ keptAs: kind }).where(eq(messageFile.id, file.id));
}
