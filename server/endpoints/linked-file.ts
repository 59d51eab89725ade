import type { Context } from "hono";
import { linkModes } from "#contract/documents.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { downloadName } from "#domain/document.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import type { StoredDocument } from "#server/features/documents/queries.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { answerWith, fileHeaders, fileRefuser, linkHolder, refusalPage, unreadable } from "./downloads.ts";

type SentFile = Pick<StoredDocument, "id" | "storageKey" | "name" | "type" | "size">;
/** A file with its student, and the detail of its access for the audit log. */
type OpenedFile = { file: SentFile; studentId: string; detail: AuditDetail };

type FileKind = {
  /** The beginning of its actions in the audit log. */
  what: "document" | "message-file";
  pathOf(id: string): string;
  procedure: string;
  /** Returns null if the session may not see the file. */
  open(db: Reader, session: Session, id: string): Promise<OpenedFile | null>;
};

/**
 * Answers with one file, by a link that was made for the session. The permission is checked again, and the access is in
 * the audit log before a byte is sent.
 */
export const linkedFile = (
  c: Context,
  services: Services,
  address: string,
  kind: FileKind,
): Promise<Response> => openFile(c, services, address, kind).catch(refusalPage);

async function openFile(
  c: Context,
  services: Services,
  address: string,
  { what, pathOf, procedure, open }: FileKind,
): Promise<Response> {
  const { database } = services;
  const id = c.req.param("id") ?? "";
  const refuse = fileRefuser(services, { address, procedure }, id);
  const mode = linkModes.find((each) => each === c.req.query("mode"));
  const session = await linkHolder(c, services, { path: pathOf(id), mode, again: "open the file", refuse });
  if (session instanceof Response) return session;
  const file = await open(database.db, session, id);
  if (!file) return await refuse(session);
  await recordAudit(database.db, {
    action: mode === "view" ? `${what}-viewed` : `${what}-downloaded`,
    actorId: session.userId,
    subjectId: file.studentId,
    address,
    detail: file.detail,
  });
  return await sendFile(services, file.file, mode === "view");
}

async function sendFile({ storage, log }: Services, file: SentFile, inline: boolean): Promise<Response> {
  if (!(await storage.disk.exists(file.storageKey))) {
    log.error({ file: file.id }, "a file is gone from the store");
    return unreadable("data-loss", 500);
  }
  return answerWith(await storage.disk.getStream(file.storageKey), {
    ...fileHeaders(downloadName(file.name, file.type), file.type, inline),
    "content-length": String(file.size),
  }).response;
}
