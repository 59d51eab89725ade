import type { Context } from "hono";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { messageFileRefusal } from "#domain/conversation.ts";
import { isStudentOrStaff } from "#domain/permission.ts";
import { uploadMessageFile } from "#server/features/conversations/commands/files.ts";
import { fileFor, viewRightForFile } from "#server/features/conversations/message-files.ts";
import { messageFilePath } from "#server/features/documents/links.ts";
import type { Services } from "#server/services.ts";
import { linkedFile } from "./linked-file.ts";
import { answerUpload, fileIn, uploader } from "./uploads.ts";

/**
 * POST /files/messages/{studentId}: a file for a message to or from that student, with its name in X-File-Name. Returns
 * `{ id }`, which `conversations.send` takes, or `{ code, message }` about this file.
 */
export const messageUploadEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(upload(c, services, address), services.log);

async function upload(c: Context, services: Services, address: string) {
  const session = await uploader(c, services, isStudentOrStaff);
  const file = fileIn(c, messageFileRefusal);
  const actor = { userId: session.userId, address };
  const studentId = c.req.param("studentId") ?? "";
  return { id: await uploadMessageFile(services, actor, { studentId, ...file }) };
}

/** GET /files/messages/{id}?mode&expires&signature: one file of a message, by a link of `conversations.fileLink`. */
export const messageFileEndpoint = (c: Context, services: Services, address: string): Promise<Response> =>
  linkedFile(c, services, address, {
    what: "message-file",
    pathOf: messageFilePath,
    procedure: "GET /files/messages",
    async open(db, session, id) {
      const file = await fileFor(db, session, id);
      if (!file) return null;
      const right = await viewRightForFile(db, session, file);
      const detail: AuditDetail = { ...right, file: file.id, thread: file.threadId ?? "" };
      return { file, studentId: file.studentId, detail };
    },
  });
